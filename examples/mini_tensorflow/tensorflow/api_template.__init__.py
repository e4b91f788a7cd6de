# Mirrors tensorflow/api_template.__init__.py: the generator of the API fills this in.
from _api import v1
