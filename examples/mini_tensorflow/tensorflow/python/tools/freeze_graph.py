# Mirrors tensorflow/python/tools/freeze_graph.py.
