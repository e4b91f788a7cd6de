// The drawing: boxes and lines as SVG, moved and zoomed with d3-zoom.
// While it moves, the whole drawing is one layer that the browser shifts (`moving`); when it rests it is drawn sharp.

import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { Box } from "./boxes";
import { Cards } from "./cards";
import type { Scene } from "./drawn";
import { svg } from "./element";
import { MARGIN, placeIn, type Home } from "./homes";
import type { Line } from "./lines";
import { Wires } from "./wires";

export interface Actions {
  select(item: number): void;
  toggle(item: number): void;
  line(line: Line): void;
}

const FAR = 0.35; // below this scale texts cannot be read and are left out

export class View {
  readonly drawing = svg("svg", { class: "drawing", role: "group", "aria-label": "the graph" });
  private readonly cards = new Cards();
  private readonly wires = new Wires();
  private readonly zoom = zoom<HTMLElement, unknown>().scaleExtent([0.02, 4]);
  private room: [number, number] = [0, 0]; // of the stage; to ask for it would make the browser lay out at once
  private at: ZoomTransform = zoomIdentity;
  private rest = 0;
  private fitted = false; // as a whole in the window, until it is moved
  private scene: Scene = { width: 0, height: 0, parts: [], homes: new Map(), boxes: [], lines: [], own: () => [], said: "" };

  constructor(readonly stage: HTMLElement, actions: Actions) {
    this.drawing.append(this.cards.frames, this.wires.element, this.cards.boxes);
    stage.append(this.drawing);
    this.room = [stage.clientWidth, stage.clientHeight];
    new ResizeObserver(() => {
      this.room = [stage.clientWidth, stage.clientHeight];
      if (this.fitted) this.fit(); // the window changed, or the legend below needs another line
    }).observe(stage);
    this.zoom.extent((): [[number, number], [number, number]] => [[0, 0], this.room]);
    this.zoom.on("zoom", (event: D3ZoomEvent<HTMLElement, unknown>) => this.moved(event.transform, !!event.sourceEvent));
    this.zoom.on("end", () => this.rests());
    select(stage).call(this.zoom).on("dblclick.zoom", null);
    stage.addEventListener("click", (event) => {
      const target = event.target as Element;
      const box = target.closest<SVGGElement>("[data-item]");
      const line = target.closest<SVGElement>(".line");
      if (box) (target.closest(".sign") ? actions.toggle : actions.select)(Number(box.dataset.item));
      else if (line) actions.line(this.wires.of(line));
      else actions.select(-1);
    });
    stage.addEventListener("dblclick", (event) => {
      const box = (event.target as Element).closest<SVGGElement>("[data-item]");
      if (box) actions.toggle(Number(box.dataset.item));
    });
  }

  /** Draws a scene; `anchor` is an item that stays where it is on the screen, if it was there. */
  show(scene: Scene, describe: (box: Box) => string, expandable: (box: Box) => string, anchor = -1): void {
    const before = this.place(anchor);
    this.scene = scene;
    const after = this.place(anchor);
    this.drawing.setAttribute("width", String(scene.width + 2 * MARGIN));
    this.drawing.setAttribute("height", String(scene.height + 2 * MARGIN));
    this.cards.show(scene, describe, expandable);
    this.wires.show(scene);
    if (before && after) this.to(this.at.translate(before.x - after.x, before.y - after.y));
    else this.fit();
  }

  /** Gives the items of what is shown other numbers, -1 to those that are gone; `show` then draws what has changed. */
  renumber(number: (item: number) => number): void {
    this.scene.boxes = this.scene.boxes.map((box) => ({ ...box, item: number(box.item) }));
    this.scene.lines = [];
    this.scene.own = () => [];
    this.cards.renumber(number);
    this.wires.renumber(number);
  }

  get lineCount(): number {
    return this.wires.count;
  }

  private box(item: number): Box | undefined {
    return this.scene.boxes.find((box) => box.item === item);
  }

  private place(item: number): Home | undefined {
    const box = this.box(item);
    return box && placeIn(this.scene.homes, box);
  }

  /** Marks a box and what it has lines to. */
  mark(item: number): void {
    const touches = (line: Line) => this.cards.has(item) && (line.from === item || line.to === item);
    const own = this.scene.lines.filter(touches);
    const known = new Set(own.map(({ from, to }) => from + to)); // one end is the item
    const lines = [...own, ...(this.cards.has(item) ? this.scene.own(item) : []).filter(({ from, to }) => !known.has(from + to))];
    this.stage.classList.toggle("selecting", this.cards.has(item));
    this.cards.mark(item, new Set(lines.flatMap(({ from, to }) => [from, to])));
    this.wires.mark(lines);
  }

  focus(item: number): void {
    if (!this.cards.focus(item)) return;
    const place = this.place(item)!;
    const x = this.at.applyX(place.x + MARGIN);
    const y = this.at.applyY(place.y + MARGIN);
    if (x < 0 || y < 0 || x + 60 > this.room[0] || y + 30 > this.room[1]) this.centre(item);
  }

  /** The nearest box in a direction, for the arrow keys. */
  beside(item: number, dx: number, dy: number): number {
    const own = this.box(item);
    if (!own) return this.scene.boxes[0]?.item ?? -1;
    const middle = (box: Box) => {
      const place = placeIn(this.scene.homes, box);
      return [place.x + (box.frame ? 40 : box.width / 2), place.y + (box.frame ? 12 : box.height / 2)];
    };
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
    this.fitted = true;
  }

  centre(item: number): void {
    const box = this.box(item);
    if (!box) return;
    const scale = Math.max(this.at.k, 0.8);
    const place = placeIn(this.scene.homes, box);
    const x = this.room[0] / 2 - (place.x + MARGIN + Math.min(box.width, 400) / 2) * scale;
    const y = this.room[1] / 2 - (place.y + MARGIN + Math.min(box.height, 300) / 2) * scale;
    this.to(zoomIdentity.translate(x, y).scale(scale));
  }

  by(factor: number): void {
    select(this.stage).call(this.zoom.scaleBy, factor);
  }

  private to(transform: ZoomTransform): void {
    this.stage.classList.toggle("far", transform.k < FAR); // at once: texts that are left out are not laid out either
    select(this.stage).call(this.zoom.transform, transform);
  }

  private moved(transform: ZoomTransform, byHand: boolean): void {
    this.at = transform;
    this.fitted = false;
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
}
