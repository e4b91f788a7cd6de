// Mirrors tensorflow/examples/label_image/main.cc.
