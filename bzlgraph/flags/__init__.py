"""What can be switched: settings, .bazelrc, configure scripts, flags of the programs, and the trace of one name."""
