// Lines as paths of SVG: all of them, or the strongest where there are more than anybody can read; with a number on each
// that stands for several edges where the lines are few, else on those of the chosen box.

import { MARGIN } from "./cards";
import { grouped } from "./data";
import { svg } from "./element";
import type { Box, Line, Scene } from "./scene";

export const MOST_LINES = 2500;
const MOST_NUMBERS = 200;
const APART = 4; // two lines between the same boxes stand to the right and to the left of the middle
const TRUTHS = { y: "holds", n: "fails", "?": "doubtful", "": "" };

interface Wire {
  path: SVGPathElement;
  course: Course;
  looks: string;
  width: string;
  number: number; // among those drawn
}

export class Wires {
  private readonly paths = svg("g", { class: "lines" });
  private readonly numbers = svg("g", { class: "numbers" });
  readonly element = svg("g", { "aria-hidden": "true" }, this.paths, this.numbers);
  drawn: Line[] = [];
  private wires = new Map<string, Wire>();
  private boxes = new Map<number, Box>();

  show(scene: Scene): void {
    this.boxes = new Map(scene.boxes.map((box) => [box.item, box]));
    const heavy = (line: Line) => line.count + (line.role ? 1e9 : 0) + (line.truth ? 1e6 : 0);
    const lines = scene.lines.length > MOST_LINES ? [...scene.lines].sort((a, b) => heavy(b) - heavy(a)) : scene.lines;
    this.drawn = lines.slice(0, MOST_LINES);
    const known = this.wires;
    this.wires = new Map();
    this.drawn.forEach((line, number) => {
      const key = keyOf(line.from, line.to);
      const wire = this.wire(line, known.get(key));
      if (wire.number !== number) wire.path.dataset.line = String(number);
      wire.number = number;
      this.wires.set(key, wire);
      known.delete(key);
    });
    for (const { path } of known.values()) path.remove();
    let next = this.paths.firstChild;
    for (const { path } of this.wires.values()) { // always in this order: what lies above what is the same for one scene
      if (path === next) next = next.nextSibling;
      else this.paths.insertBefore(path, next);
    }
    this.number(this.few ? this.drawn : []);
  }

  /** Whether there are so few lines that all can have their numbers. */
  private get few(): boolean {
    return this.drawn.length <= MOST_NUMBERS;
  }

  /** Writes on lines how many edges they stand for. */
  private number(lines: Line[]): void {
    this.numbers.replaceChildren(...lines.filter(({ count }) => count > 1).map((line) => {
      const { x, y } = this.course(line);
      return svg("text", { x: String(x), y: String(y + 3) }, grouped(line.count));
    }));
  }

  /** Items have other numbers from now on, -1 where they are gone: the lines between the others stay as they are. */
  renumber(number: (item: number) => number): void {
    const before = this.wires;
    this.wires = new Map();
    for (const { from, to } of this.drawn) {
      const wire = before.get(keyOf(from, to))!;
      const [a, b] = [number(from), number(to)];
      if (a < 0 || b < 0 || this.wires.has(keyOf(a, b))) wire.path.remove();
      else this.wires.set(keyOf(a, b), wire);
    }
    this.drawn = [];
  }

  /** Draws lines above the others, until the next ones are marked. */
  mark(lines: Line[]): void {
    this.paths.querySelectorAll("[data-extra]").forEach((each) => each.remove());
    if (!this.few) this.number(lines.slice(0, MOST_NUMBERS));
    for (const line of lines) {
      const { path } = this.wire(line);
      path.classList.add("near");
      path.dataset.extra = "";
      this.paths.append(path);
    }
  }

  private course({ from, to, mutual }: Line): Course {
    return courseOf(this.boxes.get(from)!, this.boxes.get(to)!, mutual ? APART : 0);
  }

  private wire(line: Line, wire: Wire = { path: svg("path"), course: NOWHERE, looks: "", width: "", number: -1 }): Wire {
    const course = this.course(line);
    const width = (1 + Math.min(4, Math.log10(line.count) * 1.3)).toFixed(1);
    const looks = ["line", line.weak && "weak", line.possible && "possible", line.mutual && "mutual",
      line.role && `why-${line.role}`, TRUTHS[line.truth]].filter(Boolean).join(" ");
    if (wire.course.path !== course.path) wire.path.setAttribute("d", course.path);
    if (wire.width !== width) wire.path.setAttribute("stroke-width", width);
    if (wire.looks !== looks) wire.path.setAttribute("class", looks);
    return Object.assign(wire, { course, looks, width });
  }
}

function keyOf(from: number, to: number): string {
  return `${from} ${to}`;
}

interface Course {
  path: string;
  x: number; // its middle
  y: number;
}

const NOWHERE: Course = { path: "", x: 0, y: 0 };

/** From the lower edge of one box to the upper edge of another, with a head; beside them where it leads up. One that is
 * `apart` leaves the middle of the boxes to its left, seen along its way, so that the one back is beside it. */
function courseOf(a: Box, b: Box, apart: number): Course {
  const down = b.y >= a.y + a.height;
  const up = a.y >= b.y + b.height;
  const right = b.x >= a.x + a.width;
  let [x1, y1, x2, y2] = [a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y];
  if (up) [y1, y2] = [a.y, b.y + b.height];
  else if (!down) [x1, y1, x2, y2] = right ? [a.x + a.width, a.y + a.height / 2, b.x, b.y + b.height / 2]
    : [a.x, a.y + a.height / 2, b.x + b.width, b.y + b.height / 2];
  const [aside, above] = up || down ? [down ? apart : -apart, 0] : [0, right ? -apart : apart];
  [x1, y1, x2, y2] = [x1 + aside, y1 + above, x2 + aside, y2 + above].map((value) => Math.round(value + MARGIN));
  const bend = up || down ? Math.round((y2 - y1) / 2) : 0;
  const shift = up || down ? 0 : Math.round((x2 - x1) / 2);
  const [hx, hy] = up || down ? [3, Math.sign(y2 - y1) * 6] : [Math.sign(x2 - x1) * 6, 3];
  const head = up || down ? `M${x2 - hx} ${y2 - hy}L${x2} ${y2}L${x2 + hx} ${y2 - hy}`
    : `M${x2 - hx} ${y2 - hy}L${x2} ${y2}L${x2 - hx} ${y2 + hy}`;
  const path = `M${x1} ${y1}C${x1 + shift} ${y1 + bend} ${x2 - shift} ${y2 - bend} ${x2} ${y2}${head}`;
  return { path, x: (x1 + x2) / 2, y: (y1 + y2) / 2 };
}
