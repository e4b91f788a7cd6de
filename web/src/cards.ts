// Boxes as elements of SVG. What an element has is remembered beside it: to ask the browser costs more than to draw.

import type { Box } from "./boxes";
import type { Part, Scene } from "./drawn";
import { svg } from "./element";
import { Homes, MARGIN, ordered, placeIn, placeOf } from "./homes";
import { classOf } from "./legend";

interface Card {
  element: SVGGElement;
  shape: string; // what its inner elements are made of
  looks: string; // its classes, but for the marks
  place: string;
  described: string;
  marks: string; // "selected near"
}

export class Cards {
  readonly frames = svg("g");
  readonly boxes = svg("g");
  private readonly homes = new Homes(this.boxes);
  private readonly shown = new Map<number, Card>();
  private parts = new Set<Part>(); // that are shown: what is in them need not be looked at again
  private marked = new Set<number>();
  private reachable = -1; // the box that the Tab key leads to

  has(item: number): boolean {
    return this.shown.has(item);
  }

  /** Shows these boxes and no others. */
  show(scene: Scene, describe: (box: Box) => string, expandable: (box: Box) => string): void {
    this.homes.show(scene.homes);
    const before = this.parts;
    this.parts = new Set(scene.parts);
    for (const part of scene.parts) {
      const home = this.homes.of(part.home);
      for (const box of part.boxes) {
        if (before.has(part) && !box.frame) continue;
        const place = placeOf(box.frame ? placeIn(scene.homes, box) : { x: box.x - MARGIN, y: box.y - MARGIN });
        const { element } = this.card(box, place, describe(box), expandable(box));
        if (!box.frame && element.parentNode !== home) home.append(element);
      }
    }
    ordered(this.frames, scene.boxes.filter(({ frame }) => frame).map(({ item }) => this.shown.get(item)!.element));
    const kept = new Set(scene.boxes.map(({ item }) => item));
    for (const [item, { element }] of this.shown) {
      if (kept.has(item)) continue;
      element.remove();
      this.shown.delete(item);
      this.marked.delete(item);
    }
  }

  /** Items have other numbers from now on, -1 where they are gone: the elements of the others stay as they are. */
  renumber(number: (item: number) => number): void {
    this.homes.renumber(number);
    this.parts.clear();
    const before = [...this.shown];
    this.shown.clear();
    for (const [item, card] of before) {
      const next = number(item);
      if (next < 0 || this.shown.has(next)) card.element.remove();
      else {
        card.element.dataset.item = String(next);
        this.shown.set(next, card);
      }
    }
    this.marked = new Set([...this.marked].map(number).filter((item) => item >= 0));
    this.reachable = this.reachable < 0 ? -1 : number(this.reachable);
  }

  /** Marks a box, and those near it. */
  mark(item: number, near: Set<number>): void {
    const wanted = new Set([...near, item].filter((each) => this.shown.has(each)));
    for (const each of new Set([...this.marked, ...wanted])) {
      const marks = wanted.has(each) ? (each === item ? " near selected" : " near") : "";
      const card = this.shown.get(each)!;
      if (card.marks === marks) continue;
      card.marks = marks;
      card.element.setAttribute("class", card.looks + marks);
    }
    this.marked = wanted;
  }

  /** Gives a box the focus of the keyboard; false where it is not shown. */
  focus(item: number): boolean {
    const card = this.shown.get(item);
    if (!card) return false;
    this.shown.get(this.reachable)?.element.setAttribute("tabindex", "-1");
    this.reachable = item;
    card.element.setAttribute("tabindex", "0");
    card.element.focus({ preventScroll: true });
    return true;
  }

  private card(box: Box, place: string, described: string, sign: string): Card {
    const { width, height, title, note, frame } = box;
    const shape = `${width} ${height} ${frame} ${box.group} ${sign}\n${title}\n${note}`;
    let card = this.shown.get(box.item);
    if (!card || card.shape !== shape) {
      const element = drawn(box, sign);
      card?.element.replaceWith(element);
      card = { element, shape, looks: "", place: "", described: "", marks: card?.marks ?? "" };
      this.shown.set(box.item, card);
    }
    const looks = ["box", frame ? "frame" : classOf(box.family), box.group && "group", box.only && "only", box.faded && "faded", box.change, box.role && `why-${box.role}`]
      .filter(Boolean).join(" ");
    if (card.looks !== looks) card.element.setAttribute("class", looks + card.marks);
    if (card.place !== place) card.element.setAttribute("transform", place);
    if (card.described !== described) {
      card.element.setAttribute("aria-label", described);
      card.element.firstElementChild!.textContent = described;
    }
    return Object.assign(card, { looks, place, described });
  }
}

function drawn({ item, width, height, title, note, frame, group }: Box, sign: string): SVGGElement {
  return svg("g", { "data-item": String(item), tabindex: "-1", role: "button", ...(sign && { "aria-expanded": String(frame) }) },
    svg("title"),
    svg("rect", { width: String(width), height: String(height), rx: "6" }),
    group && !frame && svg("path", { class: "stack", d: `M6 ${height + 3}H${width - 3}a6 6 0 0 0 6 -6V6` }),
    svg("text", { x: "10", y: "17", class: "name" }, title),
    !frame && svg("text", { x: "10", y: "31", class: "note" }, note),
    sign && svg("g", { class: "sign", transform: `translate(${width - 20},5)` },
      svg("rect", { width: "15", height: "15", rx: "3" }),
      svg("text", { x: "7.5", y: "12" }, sign)),
  );
}
