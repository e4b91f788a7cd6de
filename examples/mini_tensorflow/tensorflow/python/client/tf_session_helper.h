// Mirrors tensorflow/python/client/tf_session_helper.h.
