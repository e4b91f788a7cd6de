// Mirrors tensorflow/cc/client/client_session.cc.
