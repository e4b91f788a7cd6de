# Mirrors tensorflow/python/util/tf_export.py: marks what is public.
def tf_export(*names, **kwargs):
    return lambda symbol: symbol
