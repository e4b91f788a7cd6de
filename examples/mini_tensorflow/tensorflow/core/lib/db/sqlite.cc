// Mirrors tensorflow/core/lib/db/sqlite.cc.
