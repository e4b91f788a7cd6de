"""A tree of files, wherever it lies: on disk, in memory, in an archive, as a repository rule wrote it."""
