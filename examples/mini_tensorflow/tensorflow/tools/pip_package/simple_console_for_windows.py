# Mirrors tensorflow/tools/pip_package/simple_console_for_windows.py.
