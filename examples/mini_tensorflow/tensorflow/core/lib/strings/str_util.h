// Mirrors tensorflow/core/lib/strings/str_util.h.
