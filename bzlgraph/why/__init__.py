"""Why is this target built: graph, target, sources -> the reasons, as data first and text last."""

from bzlgraph.why.answer import Cut, CutPlace, NoWay, Reason, Step, TrunkNode, WhyAnswer
from bzlgraph.why.as_json import to_dict
from bzlgraph.why.ask import why
from bzlgraph.why.text import render

__all__ = ["Cut", "CutPlace", "NoWay", "Reason", "Step", "TrunkNode", "WhyAnswer", "render", "to_dict", "why"]
