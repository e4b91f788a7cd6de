// Mirrors third_party/eigen3/Eigen/Core: one way in to the archive.
#include "Eigen/Core"
