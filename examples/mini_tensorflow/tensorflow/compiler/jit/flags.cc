// Mirrors tensorflow/compiler/jit/flags.cc: the flags of the JIT, read from environment variables.
#include "tensorflow/compiler/jit/flags.h"

#include <mutex>

#include "tensorflow/compiler/xla/parse_flags_from_env.h"
#include "tensorflow/core/util/command_line_flags.h"
#include "tensorflow/core/util/env_var.h"

namespace tensorflow {
namespace {

MarkForCompilationPassFlags* mark_flags;
std::vector<Flag>* flag_list;
std::once_flag flags_init;

void AllocateAndParseFlags() {
  mark_flags = new MarkForCompilationPassFlags;
  mark_flags->tf_xla_auto_jit = 0;
  mark_flags->tf_xla_min_cluster_size = 4;
  mark_flags->tf_xla_cpu_global_jit = false;
  mark_flags->tf_xla_clustering_dump = "";
  flag_list = new std::vector<Flag>({
      Flag("tf_xla_auto_jit", &mark_flags->tf_xla_auto_jit,
           "Which operators are compiled without being asked for: 0 is none, "
           "1 those that surely gain, 2 all that can be."),
      Flag("tf_xla_min_cluster_size", &mark_flags->tf_xla_min_cluster_size,
           "Clusters with fewer operators are left to the executor."),
      Flag("tf_xla_cpu_global_jit", &mark_flags->tf_xla_cpu_global_jit,
           "Whether a global setting compiles for the CPU as well."),
      Flag("tf_xla_clustering_dump", &mark_flags->tf_xla_clustering_dump,
           "A file that gets the clusters, one per line."),
  });
  xla::ParseFlagsFromEnvAndDieIfUnknown("TF_XLA_FLAGS", *flag_list);
}

}  // namespace

const MarkForCompilationPassFlags& GetMarkForCompilationPassFlags() {
  std::call_once(flags_init, &AllocateAndParseFlags);
  return *mark_flags;
}

void AppendMarkForCompilationPassFlags(std::vector<Flag>* list) {
  std::call_once(flags_init, &AllocateAndParseFlags);
  list->insert(list->end(), flag_list->begin(), flag_list->end());
}

// One variable, one truth value: no list of flags.
bool DeterministicOpsWanted() {
  bool wanted = false;
  ReadBoolFromEnvVar("TF_DETERMINISTIC_OPS", /*default_val=*/false, &wanted);
  return wanted;
}

}  // namespace tensorflow
