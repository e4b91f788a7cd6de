// Mirrors tensorflow/core/platform/cloud/gcs_file_system.h.
