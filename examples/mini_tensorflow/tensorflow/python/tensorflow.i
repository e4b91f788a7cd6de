/* Mirrors tensorflow/python/tensorflow.i: the one file that swig is given. */
%include "tensorflow/python/platform/base.i"
%include "tensorflow/python/lib/core/strings.i"
%include "tensorflow/python/lib/io/file_io.i"
%include "tensorflow/python/client/tf_session.i"
%include "tensorflow/python/framework/op_def.i"
