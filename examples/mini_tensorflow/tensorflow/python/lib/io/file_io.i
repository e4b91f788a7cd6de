/* Mirrors tensorflow/python/lib/io/file_io.i. */
%{
#include "tensorflow/core/lib/core/status.h"
%}
bool FileExists(const std::string& filename);
