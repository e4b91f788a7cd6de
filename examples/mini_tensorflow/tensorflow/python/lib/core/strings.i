/* Mirrors tensorflow/python/lib/core/strings.i: strings both ways. */
%typemap(in) std::string {
  $1 = PyBytes_AsString($input);
}
