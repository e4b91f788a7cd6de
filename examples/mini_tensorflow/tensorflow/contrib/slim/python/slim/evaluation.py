# Mirrors tensorflow/contrib/slim/python/slim/evaluation.py.
