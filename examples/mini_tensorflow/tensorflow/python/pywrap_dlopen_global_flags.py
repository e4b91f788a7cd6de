# Mirrors tensorflow/python/pywrap_dlopen_global_flags.py.
