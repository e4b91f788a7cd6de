# Mirrors tensorflow/python/debug/offline_analyzer.py.
