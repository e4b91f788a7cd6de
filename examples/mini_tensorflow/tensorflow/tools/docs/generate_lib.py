# Mirrors tensorflow/tools/docs/generate_lib.py.
