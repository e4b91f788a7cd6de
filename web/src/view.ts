// The drawing: boxes and lines as SVG, moved and zoomed with d3-zoom.
// While it moves, the whole drawing is one layer that the browser shifts (`moving`); when it rests it is drawn sharp.

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import { svg } from "./element";
import type { Box, Line, Scene } from "./scene";

export interface Actions {
  select(item: number): void;
  toggle(item: number): void;
  line(line: Line): void;
}

const MARGIN = 40;
const FAR = 0.35; // below this scale texts cannot be read and are left out
export const MOST_LINES = 2500;

export class View {
  readonly drawing = svg("svg", { class: "drawing", role: "group", "aria-label": "the graph" });
  private readonly frames = svg("g");
  private readonly wires = svg("g", { class: "lines", "aria-hidden": "true" });
  private readonly cards = svg("g");
  private readonly shown = new Map<number, SVGGElement>();
  private readonly zoom = zoom<HTMLElement, unknown>().scaleExtent([0.02, 4]);
  private room: [number, number] = [0, 0]; // of the stage; to ask for it would make the browser lay out at once
  private at: ZoomTransform = zoomIdentity;
  private rest = 0;
  private scene: Scene = { width: 0, height: 0, boxes: [], lines: [], said: "" };
  private drawn: Line[] = [];
  private paths = new Map<string, SVGPathElement>();

  constructor(readonly stage: HTMLElement, actions: Actions) {
    this.drawing.append(this.frames, this.wires, this.cards);
    stage.append(this.drawing);
    this.room = [stage.clientWidth, stage.clientHeight];
    new ResizeObserver(() => (this.room = [stage.clientWidth, stage.clientHeight])).observe(stage);
    this.zoom.extent((): [[number, number], [number, number]] => [[0, 0], this.room]);
    this.zoom.on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => this.moved(event.transform, !!event.sourceEvent));
    this.zoom.on("end", () => this.rests());
    select(stage).call(this.zoom).on("dblclick.zoom", null);
    stage.addEventListener("click", (event) => {
      const target = event.target as Element;
      const box = target.closest<SVGGElement>("[data-item]");
      const line = target.closest<SVGElement>("[data-line]");
      if (box) (target.closest(".sign") ? actions.toggle : actions.select)(Number(box.dataset.item));
      else if (line) actions.line(this.drawn[Number(line.dataset.line)]);
      else actions.select(-1);
    });
    stage.addEventListener("dblclick", (event) => {
      const box = (event.target as Element).closest<SVGGElement>("[data-item]");
      if (box) actions.toggle(Number(box.dataset.item));
    });
  }

  /** Draws a scene; `anchor` is an item that stays where it is on the screen, if it was there. */
  show(scene: Scene, describe: (box: Box) => string, expandable: (box: Box) => string, anchor = -1): void {
    const before = this.scene.boxes.find((box) => box.item === anchor);
    const after = scene.boxes.find((box) => box.item === anchor);
    this.scene = scene;
    this.drawing.setAttribute("width", String(scene.width + 2 * MARGIN));
    this.drawing.setAttribute("height", String(scene.height + 2 * MARGIN));
    const kept = new Set<number>();
    const fresh: SVGGElement[] = [];
    for (const box of scene.boxes) {
      kept.add(box.item);
      const card = this.card(box, describe(box), expandable(box));
      if (!this.shown.has(box.item)) fresh.push(card);
      this.shown.set(box.item, card);
      const home = box.frame ? this.frames : this.cards;
      if (card.parentNode !== home || box.frame) home.append(card);
    }
    for (const [item, card] of this.shown) {
      if (kept.has(item)) continue;
      card.remove();
      this.shown.delete(item);
    }
    this.wire(scene);
    if (before && after) {
      this.to(this.at.translate(before.x - after.x, before.y - after.y));
      for (const card of fresh) card.classList.add("fresh");
    } else this.fit();
  }

  get lineCount(): number {
    return this.drawn.length;
  }

  box(item: number): Box | undefined {
    return this.scene.boxes.find((box) => box.item === item);
  }

  /** Marks a box and what it has lines to. */
  mark(item: number): void {
    const near = new Set([item]);
    const lines = this.scene.lines.filter((line) => line.from === item || line.to === item);
    for (const line of lines) near.add(line.from).add(line.to);
    this.stage.classList.toggle("selecting", this.shown.has(item));
    for (const [each, card] of this.shown) {
      card.classList.toggle("selected", each === item);
      card.classList.toggle("near", near.has(each));
    }
    this.wires.querySelectorAll("[data-extra]").forEach((each) => each.remove());
    const at = new Map(this.scene.boxes.map((box) => [box.item, box]));
    for (const line of this.shown.has(item) ? lines : []) {
      const path = wirePath(line, at, -1);
      path.classList.add("near");
      path.dataset.extra = "";
      this.wires.append(path);
    }
  }

  focus(item: number): void {
    const card = this.shown.get(item);
    if (!card) return;
    for (const each of this.shown.values()) each.setAttribute("tabindex", "-1");
    card.setAttribute("tabindex", "0");
    card.focus({ preventScroll: true });
    const box = this.box(item)!;
    const x = this.at.applyX(box.x + MARGIN);
    const y = this.at.applyY(box.y + MARGIN);
    if (x < 0 || y < 0 || x + 60 > this.room[0] || y + 30 > this.room[1]) this.centre(item);
  }

  /** The nearest box in a direction, for the arrow keys. */
  beside(item: number, dx: number, dy: number): number {
    const own = this.box(item);
    if (!own) return this.scene.boxes[0]?.item ?? -1;
    const middle = (box: Box) => [box.x + (box.frame ? 40 : box.width / 2), box.y + (box.frame ? 12 : box.height / 2)];
    const [x, y] = middle(own);
    let best = -1;
    let least = Infinity;
    for (const box of this.scene.boxes) {
      const [a, b] = middle(box);
      const along = (a - x) * dx + (b - y) * dy;
      const across = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (along > 1 && along + 3 * across < least) [best, least] = [box.item, along + 3 * across];
    }
    return best;
  }

  fit(): void {
    const [roomX, roomY] = this.room;
    const width = this.scene.width + 2 * MARGIN;
    const height = this.scene.height + 2 * MARGIN;
    const scale = Math.max(0.02, Math.min(roomX / width, roomY / height, 1.3));
    this.to(zoomIdentity.translate((roomX - width * scale) / 2, (roomY - height * scale) / 2).scale(scale));
  }

  centre(item: number): void {
    const box = this.box(item);
    if (!box) return;
    const scale = Math.max(this.at.k, 0.8);
    const x = this.room[0] / 2 - (box.x + MARGIN + Math.min(box.width, 400) / 2) * scale;
    const y = this.room[1] / 2 - (box.y + MARGIN + Math.min(box.height, 300) / 2) * scale;
    this.to(zoomIdentity.translate(x, y).scale(scale));
  }

  by(factor: number): void {
    select(this.stage).call(this.zoom.scaleBy, factor);
  }

  private to(transform: ZoomTransform): void {
    select(this.stage).call(this.zoom.transform, transform);
  }

  private moved(transform: ZoomTransform, byHand: boolean): void {
    this.at = transform;
    clearTimeout(this.rest);
    if (byHand) this.stage.classList.add("moving");
    this.drawing.style.transform = `translate(${transform.x}px,${transform.y}px) scale(${transform.k})`;
  }

  /** When nothing has moved for a moment the drawing is made sharp. */
  private rests(): void {
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => {
      this.stage.classList.remove("moving");
      this.stage.classList.toggle("far", this.at.k < FAR);
    }, 160);
  }

  private card(box: Box, described: string, sign: string): SVGGElement {
    const { width, height } = box;
    const looks = JSON.stringify([width, height, box.title, box.note, box.frame, sign]);
    let card = this.shown.get(box.item);
    if (!card || card.dataset.looks !== looks) {
      const made = svg("g", { "data-item": String(box.item), "data-looks": looks, tabindex: "-1", role: "button" },
        svg("title"),
        svg("rect", { width: String(width), height: String(height), rx: "5" }),
        svg("text", { x: "10", y: "16", class: "name" }, box.title),
        !box.frame && svg("text", { x: "10", y: "30", class: "note" }, box.note),
        sign && svg("g", { class: "sign", transform: `translate(${width - 20},5)` },
          svg("rect", { width: "15", height: "15", rx: "3" }),
          svg("text", { x: "7.5", y: "12" }, sign)),
      );
      if (card) card.replaceWith(made);
      card = made;
    }
    set(card, "class", ["box", box.frame && "frame", box.faded && "faded", box.change, box.role && `why-${box.role}`,
    ].filter(Boolean).join(" "));
    set(card, "transform", `translate(${Math.round(box.x + MARGIN)},${Math.round(box.y + MARGIN)})`);
    if (set(card, "aria-label", described)) card.firstElementChild!.textContent = described;
    if (sign) set(card, "aria-expanded", String(box.frame));
    return card;
  }

  /** The lines: all of them, or the strongest where there are more than anybody can read. */
  private wire(scene: Scene): void {
    const at = new Map(scene.boxes.map((box) => [box.item, box]));
    const heavy = (line: Line) => line.count + (line.role ? 1e9 : 0) + (line.truth ? 1e6 : 0);
    const lines = scene.lines.length > MOST_LINES ? [...scene.lines].sort((a, b) => heavy(b) - heavy(a)) : scene.lines;
    this.drawn = lines.slice(0, MOST_LINES);
    const known = this.paths;
    this.paths = new Map();
    this.drawn.forEach((line, number) => {
      const key = `${line.from} ${line.to}`;
      this.paths.set(key, wirePath(line, at, number, known.get(key)));
      known.delete(key);
    });
    for (const path of known.values()) path.remove();
    for (const path of this.paths.values()) if (!path.parentNode) this.wires.append(path);
  }
}

/** Sets an attribute that has another value; whether it had. The browser computes anew whatever is set. */
function set(element: Element, name: string, value: string): boolean {
  if (element.getAttribute(name) === value) return false;
  element.setAttribute(name, value);
  return true;
}

/** A line from the lower edge of one box to the upper edge of another, with a head; beside them where it leads up. */
function wirePath(line: Line, at: Map<number, Box>, number: number, path = svg("path")): SVGPathElement {
  const a = at.get(line.from)!;
  const b = at.get(line.to)!;
  const down = b.y >= a.y + a.height;
  const up = a.y >= b.y + b.height;
  const right = b.x >= a.x + a.width;
  let [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y];
  if (up) [y1, y2] = [a.y, b.y + b.height];
  else if (!down) [x1, y1, x2, y2] = right ? [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2]
    : [a.x, a.y + a.height / 2, b.x + b.width, b.y + b.height / 2];
  [x1, y1, x2, y2] = [x1, y1, x2, y2].map((value) => Math.round(value + MARGIN));
  const bend = up || down ? Math.round((y2 - y1) / 2) : 0;
  const shift = up || down ? 0 : Math.round((x2 - x1) / 2);
  const [hx, hy] = up || down ? [3, Math.sign(y2 - y1) * 6] : [Math.sign(x2 - x1) * 6, 3];
  const head = up || down ? `M${x2 - hx} ${y2 - hy}L${x2} ${y2}L${x2 + hx} ${y2 - hy}`
    : `M${x2 - hx} ${y2 - hy}L${x2} ${y2}L${x2 - hx} ${y2 + hy}`;
  const looks: Record<string, string> = {
    d: `M${x1} ${y1}C${x1 + shift} ${y1 + bend} ${x2 - shift} ${y2 - bend} ${x2} ${y2}${head}`,
    "stroke-width": (1 + Math.min(4, Math.log10(line.count) * 1.3)).toFixed(1),
    class: ["line", line.weak && "weak", line.possible && "possible", line.mutual && "mutual",
      line.role && `why-${line.role}`, line.truth && { y: "holds", n: "fails", "?": "doubtful" }[line.truth],
    ].filter(Boolean).join(" "),
  };
  for (const [name, value] of Object.entries(looks)) set(path, name, value);
  if (number >= 0) path.dataset.line = String(number);
  return path;
}
