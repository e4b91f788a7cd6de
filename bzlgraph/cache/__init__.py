"""What is kept on disk between runs: values in files of the user's own, sealed with a key of the user's own.

Rules
- A cache holds data. The only code in it are compiled programs; they run because this user's bzlgraph sealed them.
- Nothing is decoded before its seal was checked. A seal covers the cache's name, the code that wrote, the key of the
  row and its bytes, so a row that was changed, moved, or written by someone else or other code is no row at all.
- A cache never fails and never answers wrongly: whatever is not right is a miss, and the value is made again.
- What is not evidently ours is neither read nor written: another's folder or file, links, other SQLite files.

``folder`` decides which folder is used, ``seal`` keeps the key and seals, ``database`` opens the files, ``store`` is
what everything else uses, and ``freshness`` makes keys for files without reading them.
"""
