/* Mirrors tensorflow/python/client/tf_session.i: sessions and graphs of the C API. */
%{
#include "tensorflow/c/c_api.h"
#include "tensorflow/python/client/tf_session_helper.h"
%}
%unignoreall
%include "tensorflow/c/c_api.h"
