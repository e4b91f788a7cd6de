# Mirrors tensorflow/tools/docs/build_docs_test.py.
