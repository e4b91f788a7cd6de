"""What .bzl files declare: rules, attributes, aspects, macros, build settings, repository rules."""
