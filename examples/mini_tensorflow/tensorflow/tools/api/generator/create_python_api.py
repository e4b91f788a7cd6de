# Mirrors tensorflow/tools/api/generator/create_python_api.py.
