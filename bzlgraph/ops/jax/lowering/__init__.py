"""Lowering rules of JAX: as they are registered, what each makes, and what becomes of the primitive on a platform."""
