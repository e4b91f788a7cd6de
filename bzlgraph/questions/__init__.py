"""(workspace, options, configuration) -> answers: the one session under the command line and the library."""

from bzlgraph.questions.session import QueryOptions, Reply, Session, open_session

__all__ = ["QueryOptions", "Reply", "Session", "open_session"]
