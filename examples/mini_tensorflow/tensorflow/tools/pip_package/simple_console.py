# Mirrors tensorflow/tools/pip_package/simple_console.py.
