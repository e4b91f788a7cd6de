"""Who forces a dependency on everybody: the targets below a product that need a target, and the fewest edges to cut.

python docs/recipes/forced.py CHECKOUT TARGET PRODUCT
"""

import sys

import bzlgraph


def main(checkout: str, target: str, product: str) -> int:
    """Print it; 1 when the product needs the target."""
    ws = bzlgraph.open(checkout)
    why = ws.why(target, from_=product)
    if not why.found:
        print(f"{product} does not need {target}")
        return 0
    needing = ws.query(f"allpaths({product}, {target})").to_frame()
    print(f"{len(needing)} targets are on the way from {product} to {target}, by kind:")
    print(needing["kind"].value_counts().to_string())
    for place in why.to_dict()["cut"] or []:
        print(
            f"cut: {place['attribute']} of {place['target'] or place['rule_class']} ({place['users']} targets use it)"
        )
    if not why.completeness.complete:
        print(f"{len(why.completeness.gaps)} gaps may hide more")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
