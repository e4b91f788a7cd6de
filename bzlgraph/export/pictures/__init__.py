"""Nodes of a graph -> picture -> dot, SVG, Mermaid, HTML: reduced, collapsed, laid out."""
