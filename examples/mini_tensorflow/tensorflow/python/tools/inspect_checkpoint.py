# Mirrors tensorflow/python/tools/inspect_checkpoint.py.
