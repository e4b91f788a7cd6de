// Mirrors tensorflow/core/platform/cloud/http_request.h.
