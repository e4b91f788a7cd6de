"""(workspace, options, configuration) -> answers: the one session under the command line and the library."""
