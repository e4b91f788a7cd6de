"""``python -m bzlgraph``"""

from bzlgraph.cli import main

main()
