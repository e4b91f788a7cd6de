"""What can be switched: settings, .bazelrc, configure scripts, flags of the programs, and the story of one name."""
