// Mirrors third_party/fft2d/fft.h: the C functions of the archive, declared.
extern "C" void rdft(int n, int isgn, double* a, int* ip, double* w);
