/* Mirrors tensorflow/python/framework/op_def_registry.i. */
%ignoreall
