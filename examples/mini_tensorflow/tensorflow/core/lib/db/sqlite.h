// Mirrors tensorflow/core/lib/db/sqlite.h.
