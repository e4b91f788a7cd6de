// Mirrors tensorflow/cc/client/client_session_test.cc.
