// Mirrors tensorflow/compiler/jit/jit_compilation_pass_registration.cc.
