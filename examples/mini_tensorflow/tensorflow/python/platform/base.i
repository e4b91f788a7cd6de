/* Mirrors tensorflow/python/platform/base.i: how C++ types look from Python. */
%define %ignoreall %ignore ""; %enddef
%define %unignoreall %rename("%s") ""; %enddef
