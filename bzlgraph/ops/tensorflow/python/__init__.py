"""The Python half of TensorFlow's tracer: public names, generated wrappers, and the ops that functions make."""
