// A group of SVG for what stands side by side: where all of it moves, as when something beside it is opened, one element
// moves and what is in it stays as it is.

import { svg } from "./element";

export const MARGIN = 40;

/** Where what stands side by side in an expanded group begins. */
export interface Home {
  x: number;
  y: number;
}

/** Homes by their group; -1 is that of what is in no group. */
export class Homes {
  private known = new Map<number, { element: SVGGElement; place: string }>();

  constructor(readonly element: SVGGElement) {}

  /** Has elements for these and no others, in this order. */
  show(homes: Map<number, Home>): void {
    const before = this.known;
    this.known = new Map();
    for (const [item, home] of homes) {
      const known = before.get(item) ?? { element: svg("g"), place: "" };
      const place = placeOf(home);
      if (known.place !== place) known.element.setAttribute("transform", place);
      known.place = place;
      this.known.set(item, known);
      before.delete(item);
    }
    for (const { element } of before.values()) element.remove();
    ordered(this.element, [...this.known.values()].map(({ element }) => element));
  }

  of(item: number): SVGGElement {
    return this.known.get(item)!.element;
  }

  /** Items have other numbers from now on, -1 where they are gone. */
  renumber(number: (item: number) => number): void {
    const before = [...this.known];
    this.known = new Map();
    for (const [item, home] of before) {
      const next = item < 0 ? item : number(item);
      if ((item >= 0 && next < 0) || this.known.has(next)) home.element.remove();
      else this.known.set(next, home);
    }
  }
}

/** The place of a box in the drawing, without its margin. */
export function placeIn(homes: Map<number, Home>, { home, x, y }: { home: number; x: number; y: number }): Home {
  const begin = homes.get(home)!;
  return { x: begin.x + x, y: begin.y + y };
}

export function placeOf({ x, y }: Home): string {
  return `translate(${Math.round(x + MARGIN)},${Math.round(y + MARGIN)})`;
}

/** Puts children first in an element, in this order; those that stand so already are not touched. */
export function ordered(parent: Element, children: Iterable<Element>): void {
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}
