// Mirrors tensorflow/compiler/jit/flags.h: the flags of the JIT, read from environment variables.
#ifndef TENSORFLOW_COMPILER_JIT_FLAGS_H_
#define TENSORFLOW_COMPILER_JIT_FLAGS_H_

#include <string>
#include <vector>

namespace tensorflow {

class Flag;

struct MarkForCompilationPassFlags {
  int tf_xla_auto_jit;
  int tf_xla_min_cluster_size;
  bool tf_xla_cpu_global_jit;
  std::string tf_xla_clustering_dump;
};

// The flags of the pass that chooses what XLA compiles; TF_XLA_FLAGS is parsed at the first call.
const MarkForCompilationPassFlags& GetMarkForCompilationPassFlags();

// Adds the flags of the pass to a list that a program may show or parse.
void AppendMarkForCompilationPassFlags(std::vector<Flag>* flag_list);

}  // namespace tensorflow

#endif  // TENSORFLOW_COMPILER_JIT_FLAGS_H_
