# Mirrors tensorflow/contrib/slim/python/slim/learning.py.
