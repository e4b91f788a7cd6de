// Mirrors tensorflow/python/eager/pywrap_tensor.cc.
