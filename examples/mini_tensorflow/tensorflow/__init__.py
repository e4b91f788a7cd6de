# Mirrors tensorflow/__init__.py: the public names.
from tensorflow.python import *  # noqa: F403
from tensorflow.python import pywrap_tensorflow
