// Lines as paths of SVG: all of them, or the strongest where there are more than anybody can read; with a number on each
// that stands for several edges where the lines are few, else on those of the chosen box. A line goes where the layout
// leads it past other boxes, else straight; boxes that need each other have one line with two heads.

import type { Box } from "./boxes";
import { grouped } from "./data";
import type { Part, Scene } from "./drawn";
import { svg } from "./element";
import { Homes, MARGIN, ordered, placeIn, placeOf, type Home } from "./homes";
import type { Route } from "./layout";
import type { Line } from "./lines";

export const MOST_LINES = 2500;
const MOST_NUMBERS = 200;
const WHERE = [0.5, 0.4, 0.6, 0.3, 0.7];
const TRUTHS = { "+": "holds", y: "holds", n: "fails", "?": "doubtful", "": "" };

interface Wire {
  path: SVGPathElement;
  course: string;
  route?: Route; // what it was made of
  both?: boolean;
  looks: string;
  width: string;
}

export class Wires {
  private readonly paths = svg("g", { class: "lines" });
  private readonly homes = new Homes(this.paths);
  private readonly numbers = svg("g", { class: "numbers" });
  readonly element = svg("g", { "aria-hidden": "true" }, this.paths, this.numbers);
  count = 0; // of lines that are drawn
  private marked: SVGPathElement[] = []; // lines drawn above the others
  private lineOf = new WeakMap<Element, Line>();
  private wires = new Map<string, Wire>();
  private parts = new Map<Part, Line[]>(); // those that are shown, and which of their lines
  private boxes = new Map<number, Box>();
  private places = new Map<number, Home>();

  show(scene: Scene): void {
    this.boxes = new Map(scene.boxes.map((box) => [box.item, box]));
    this.places = scene.homes;
    this.homes.show(scene.homes);
    const before = this.parts;
    this.parts = new Map(drawnOf(scene));
    this.count = 0;
    const gone = new Set([...before].filter(([part, lines]) => this.parts.get(part) !== lines).flatMap(([, lines]) => lines.map(keyOf)));
    for (const [part, lines] of this.parts) {
      this.count += lines.length;
      if (before.get(part) === lines) continue;
      const paths = lines.map((line) => {
        const key = keyOf(line);
        const wire = this.wire(line, this.wires.get(key));
        this.wires.set(key, wire);
        gone.delete(key);
        return wire.path;
      });
      ordered(this.homes.of(part.home), paths); // always so: what lies above what is the same for one scene
    }
    for (const key of gone) {
      this.wires.get(key)!.path.remove();
      this.wires.delete(key);
    }
    this.number(this.few ? scene.lines : []);
  }

  /** Whether there are so few lines that all can have their numbers. */
  private get few(): boolean {
    return this.count <= MOST_NUMBERS;
  }

  /** Writes on lines how many edges they stand for, where no box or other number is in the way. */
  private number(lines: Line[]): void {
    const taken = lines.length ? [...this.boxes.values()].filter(({ frame }) => !frame)
      .map((box) => ({ ...box, ...placeIn(this.places, box) }))
      .map(({ x, y, width, height }) => [x + MARGIN, y + MARGIN, x + width + MARGIN, y + height + MARGIN]) : [];
    const found: SVGTextElement[] = [];
    for (const line of lines) {
      if (line.count < 2) continue;
      const text = grouped(line.count);
      const half = text.length * 3.2;
      const { x: left, y: top } = this.begin(line);
      for (const [atX, atY] of middlesOf(this.route(line))) {
        const [x, y] = [left + atX + MARGIN, top + atY + MARGIN];
        const area = [x - half, y - 6, x + half, y + 6];
        if (taken.some(([a, b, c, d]) => area[0] < c && a < area[2] && area[1] < d && b < area[3])) continue;
        taken.push(area);
        found.push(svg("text", { x: x.toFixed(1), y: (y + 3.5).toFixed(1), ...(line.back && { class: "mutual" }) }, text));
        break;
      }
    }
    this.numbers.replaceChildren(...found);
  }

  /** Items have other numbers from now on, -1 where they are gone: the lines between the others stay as they are. */
  renumber(number: (item: number) => number): void {
    this.homes.renumber(number);
    const before = this.wires;
    this.wires = new Map();
    const known: Line[] = [];
    for (const line of [...this.parts.values()].flat()) {
      const { path } = before.get(keyOf(line))!;
      const moved = { ...line, from: number(line.from), to: number(line.to) };
      if (moved.from < 0 || moved.to < 0 || this.wires.has(keyOf(moved))) path.remove();
      else {
        this.wires.set(keyOf(moved), before.get(keyOf(line))!);
        known.push(moved);
      }
    }
    this.parts = new Map([[{ home: -1, width: 0, height: 0, boxes: [], lines: [] }, known]]); // of no scene
  }

  /** Draws lines above the others, until the next ones are marked. */
  mark(lines: Line[]): void {
    for (const path of this.marked) path.remove();
    if (!this.few) this.number(lines.slice(0, MOST_NUMBERS));
    this.marked = lines.map((line) => {
      const { path } = this.wire(line);
      path.classList.add("near");
      path.dataset.extra = "";
      path.setAttribute("transform", placeOf(this.begin(line)));
      return path;
    });
    this.paths.append(...this.marked);
  }

  /** The line that an element draws. */
  of(element: SVGElement): Line {
    return this.lineOf.get(element)!;
  }

  /** Where the route of a line begins. */
  private begin({ home }: Line): Home {
    return home === undefined ? NOWHERE : this.places.get(home)!;
  }

  private route(line: Line): Route {
    if (line.route) return line.route;
    const { x, y } = this.begin(line);
    const [a, b] = [line.from, line.to].map((item) => this.boxes.get(item)!).map((box) => ({ ...box, ...placeIn(this.places, box) }));
    return straight(a, b, x, y);
  }

  private wire(line: Line, wire: Wire = { path: svg("path"), course: "", looks: "", width: "" }): Wire {
    this.lineOf.set(wire.path, line);
    const route = this.route(line);
    const both = line.back > 0;
    if (wire.route !== route || wire.both !== both) { // what is laid out as it was has the same route
      const course = courseAlong(route, both);
      if (wire.course !== course) wire.path.setAttribute("d", course);
      Object.assign(wire, { course, route, both });
    }
    const width = (1.1 + Math.log10(line.count) * 0.6).toFixed(1);
    const looks = ["line", line.weak && "weak", line.possible && "possible", both && "mutual",
      line.role && `why-${line.role}`, TRUTHS[line.truth]].filter(Boolean).join(" ");
    if (wire.width !== width) wire.path.setAttribute("stroke-width", width);
    if (wire.looks !== looks) wire.path.setAttribute("class", looks);
    return Object.assign(wire, { looks, width });
  }
}

const NOWHERE = { x: 0, y: 0 };

function keyOf({ from, to }: Line): string {
  return `${from} ${to}`;
}

/** The lines that are drawn of each part: all, or the strongest. */
function drawnOf({ parts, lines }: Scene): [Part, Line[]][] {
  if (lines.length <= MOST_LINES) return parts.map((part) => [part, part.lines]);
  const heavy = (line: Line) => line.count + (line.role ? 1e9 : 0) + (line.truth ? 1e6 : 0);
  const strongest = new Set([...lines].sort((a, b) => heavy(b) - heavy(a)).slice(0, MOST_LINES));
  return parts.map((part) => [part, part.lines.filter((line) => strongest.has(line))]);
}

/** From the lower edge of one box to the upper edge of another; beside them where it leads up. */
function straight(a: Box, b: Box, left: number, top: number): Route {
  const down = b.y >= a.y + a.height;
  const up = a.y >= b.y + b.height;
  const right = b.x >= a.x + a.width;
  let [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y];
  if (up) [y1, y2] = [a.y, b.y + b.height];
  else if (!down) [x1, y1, x2, y2] = right ? [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2]
    : [a.x, a.y + a.height / 2, b.x + b.width, b.y + b.height / 2];
  const bend = up || down ? (y2 - y1) / 2 : 0;
  const shift = up || down ? 0 : (x2 - x1) / 2;
  const points = [x1, y1, x1 + shift, y1 + bend, x2 - shift, y2 - bend, x2, y2];
  return { points: points.map((value, at) => value - (at % 2 ? top : left)), own: [0] };
}

/** The curves of a route, with a head at its end, or at both. */
function courseAlong({ points }: Route, both: boolean): string {
  const p = points.map(Math.round);
  let path = `M${p[0]} ${p[1]}`;
  for (let at = 2; at < p.length; at += 6) path += `C${p.slice(at, at + 6).join(" ")}`;
  return path + head(p, p.length - 2, -2) + (both ? head(p, 0, 2) : "");
}

/** Where the number of a line may stand, the best first. */
function middlesOf({ points, own }: Route): [number, number][] {
  return own.flatMap((curve) => WHERE.map((t): [number, number] => {
    const [x, y] = [0, 1].map((axis) => {
      const [a, b, c, d] = [0, 2, 4, 6].map((step) => points[6 * curve + step + axis]);
      return (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t ** 2 * (1 - t) * c + t ** 3 * d;
    });
    return [x, y];
  }));
}

/** A triangle at an end of a path, which comes there from the next point that is elsewhere. */
function head(p: number[], at: number, step: number): string {
  const [x, y] = [p[at], p[at + 1]];
  let from = at + step;
  while (from + step >= 0 && from + step < p.length && p[from] === x && p[from + 1] === y) from += step;
  const [dx, dy] = [x - p[from], y - p[from + 1]];
  if (Math.abs(dx) > 2 * Math.abs(dy)) {
    const back = x - Math.sign(dx) * 6;
    return `M${back} ${y - 3}L${x} ${y}L${back} ${y + 3}ZV${y + 1}L${x} ${y}L${back} ${y - 1}`;
  }
  const back = y - Math.sign(dy || 1) * 6;
  return `M${x - 3} ${back}L${x} ${y}L${x + 3} ${back}ZH${x + 1}L${x} ${y}L${x - 1} ${back}`;
}
