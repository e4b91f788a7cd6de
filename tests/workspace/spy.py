"""A program that leaves a trace if somebody runs it."""

from __future__ import annotations

SPY = """
import json, os, sys
touched = []
def note(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and isinstance(arguments[0], (str, bytes, os.PathLike)):
        touched.append(os.path.realpath(os.fsdecode(arguments[0])))
sys.addaudithook(note)
from bzlgraph.cli.main import main
try:
    main(sys.argv[2:])
except SystemExit:
    pass
with open(sys.argv[1], "w") as report:
    json.dump(touched, report)
"""
