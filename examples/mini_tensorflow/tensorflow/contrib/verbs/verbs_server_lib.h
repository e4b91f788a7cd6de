// Mirrors tensorflow/contrib/verbs/verbs_server_lib.h.
