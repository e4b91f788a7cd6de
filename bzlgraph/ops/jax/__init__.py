"""JAX: a public function -> primitives -> lowering rules -> names of custom calls -> their handlers in C++."""
