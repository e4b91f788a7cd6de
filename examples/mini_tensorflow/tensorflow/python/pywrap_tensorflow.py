# Mirrors tensorflow/python/pywrap_tensorflow.py: everything that swig wrote, under one name.
from tensorflow.python.pywrap_tensorflow_internal import *  # noqa: F403
