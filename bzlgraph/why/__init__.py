"""Why is this target built: graph, target, sources -> the reasons, as data."""

from bzlgraph.why.answer import Cut, CutPlace, NoWay, Reason, Step, TrunkNode, WhyAnswer
from bzlgraph.why.ask import why

__all__ = ["Cut", "CutPlace", "NoWay", "Reason", "Step", "TrunkNode", "WhyAnswer", "why"]
