// Mirrors third_party/eigen3/unsupported/Eigen/CXX11/FixedPoint: small integers for quantized kernels.
#ifndef MINI_EIGEN_FIXED_POINT_H_
#define MINI_EIGEN_FIXED_POINT_H_
namespace Eigen {
struct QInt8 {
  signed char value;
};
}  // namespace Eigen
#endif  // MINI_EIGEN_FIXED_POINT_H_
