// What is drawn: a state -> boxes with places, and lines between them.
// The map shows groups, expanded where the state says so; focus and why show chosen targets alone.

import { why, type Why } from "./ask";
import { counted, grouped, type Graph } from "./data";
import type { Home } from "./homes";
import { hubsOf, withoutHubs } from "./hubs";
import { arrange, pairOf, reversed, type Arrangement, type Route, type Size } from "./layout";
import { thinned } from "./levels";
import { join, paired, together, type Line } from "./lines";
import { Choice, Sieve } from "./sieve";
import type { State } from "./state";
import type { Tree } from "./tree";
import { MOST_LETTERS, shortened, shortenedLabel } from "./words";

export interface Box extends Size {
  item: number;
  x: number;
  y: number;
  home: Home; // what it stands in
  title: string;
  note: string;
  family: string; // what kind of rules it is, or holds most of: chooses the colour
  group: boolean;
  frame: boolean; // an expanded group, with boxes in it
  only: boolean; // there in some configurations alone
  faded: boolean; // not needed in the chosen configuration
  change: "" | "appears" | "vanishes"; // in the chosen configuration, compared with the other one
  role: "" | "end" | "step" | "through"; // in an answer to why
}

export interface Scene extends Size {
  boxes: Box[];
  homes: Home[];
  lines: Line[]; // those drawn: between what stands side by side
  close: () => Line[]; // between boxes wherever they are: drawn for a box that is chosen
  answer?: Why;
  said: string; // in words, for a line below the search and for screen readers
}

export const MOST_NEIGHBOURS = 120;
const MOST_AROUND = 120;
const HEADER = 24;
const PAD = 12;
const LETTER = 7.25; // of the monospaced font that boxes have, 12 px

interface Words {
  title: string;
  note: string;
  width: number;
}

export class Scenery {
  private readonly said: [Map<number, Words>, Map<number, Words>] = [new Map(), new Map()]; // short, whole

  private readonly plans = new Map<number, { key: string; made: Placed }>(); // of groups, as they were laid out last

  constructor(private readonly graph: Graph, private readonly tree: Tree) {}

  make(state: State, sieve: Sieve, choice?: Choice, other?: Choice): Scene {
    const from = this.graph.find(state.from);
    const to = this.graph.find(state.to);
    if (from !== undefined && to !== undefined) return this.why(from, to, sieve, choice, other);
    const focus = this.numbers(state.focus);
    if (focus.length) {
      const { shown, left } = this.around(state, sieve);
      const scene = this.chosen(shown, sieve, choice, other);
      return left ? { ...scene, said: `${scene.said}; the panel lists ${grouped(left)} more` } : scene;
    }
    return this.map(new Set(state.open), sieve, choice, other);
  }

  numbers(labels: string[]): number[] {
    return labels.flatMap((label) => this.graph.find(label) ?? []);
  }

  /** Whether a target needs others, which may not be loaded. */
  leads(node: number, sieve: Sieve): boolean {
    const { first, target } = this.graph;
    for (let edge = first[node]; edge < first[node + 1]; edge++) if (target[edge] !== node && sieve.shows(edge)) return true;
    return false;
  }

  /** What a target needs, or what needs it: each once, source files last, in order of the labels. */
  neighbours(node: number, up: boolean, sieve: Sieve): number[] {
    const { graph } = this;
    const found = new Set<number>();
    const first = up ? graph.intoFirst[node] : graph.first[node];
    const end = up ? graph.intoFirst[node + 1] : graph.first[node + 1];
    for (let at = first; at < end; at++) {
      const edge = up ? graph.into[at] : at;
      if (sieve.shows(edge)) found.add(up ? graph.source[edge] : graph.target[edge]);
    }
    found.delete(node);
    for (const end of found) if (graph.isRest(end)) found.delete(end);
    const file = (end: number) => Number(graph.kind(end) === "source file");
    return [...found].sort((a, b) => file(a) - file(b) || a - b);
  }

  // ------------------------------------------------------------------------------------------------------ the map
  private map(open: Set<string>, sieve: Sieve, choice?: Choice, other?: Choice): Scene {
    const { tree, graph } = this;
    const seen = new Int32Array(graph.count).fill(-1);
    const alive = new Uint8Array(graph.count + tree.groups.length); // something in it is shown
    const expanded = new Set<number>([tree.root]);
    const show = (item: number, shownAs: number): boolean => {
      if (!tree.isGroup(item)) {
        if (sieve.hidden[item]) return false;
        seen[item] = shownAs < 0 ? item : shownAs;
        alive[item] = 1;
        return true;
      }
      const { key, children } = tree.of(item);
      const opened = shownAs < 0 && (item === tree.root || open.has(key));
      if (opened) expanded.add(item);
      let any = false;
      for (const child of children) any = show(child, opened ? -1 : shownAs < 0 ? item : shownAs) || any;
      if (any) alive[item] = 1;
      return any;
    };
    show(tree.root, -1);
    const close = this.lines(seen, sieve, choice);
    const drawn: Drawn = { boxes: [], lines: [], homes: [] };
    const plan = { expanded, alive, beside: this.besides(close), thin: sieve.thin, hubs: sieve.hubs, left: 0, toHubs: 0, choice, other };
    const size = this.place(tree.root, plan, drawn);
    const targets = drawn.boxes.filter((box) => !tree.isGroup(box.item)).length;
    const { left, toHubs } = plan;
    const said = `${left ? `${counted(left, "line")} implied by longer paths not drawn; ` : ""}` +
      `${toHubs ? `${counted(toHubs, "line")} of boxes that most others use not drawn; ` : ""}` +
      `${drawn.boxes.length - targets} groups and ${targets} targets shown of ${grouped(graph.totals.targets)}`;
    return { ...size, ...drawn, close: () => paired(close), said };
  }

  /** Lays out what is in a group, and all that is expanded in it; boxes are added from the outside in. */
  private place(item: number, plan: Plan, drawn: Drawn): Size {
    const { tree } = this;
    const home: Home = { item: item === tree.root ? -1 : item, x: 0, y: 0 };
    const children = tree.of(item).children.filter((child) => plan.alive[child]);
    const parts = children.map((child) => {
      const inside: Drawn = { boxes: [], lines: [], homes: [] };
      const own = this.box(child, home, plan.choice, plan.other);
      if (plan.expanded.has(child)) {
        const size = this.place(child, plan, inside);
        own.frame = true;
        own.width = Math.max(size.width, own.title.length * LETTER + 30) + 2 * PAD;
        own.height = size.height + HEADER + 2 * PAD;
        shift(inside, PAD, HEADER + PAD);
      }
      return { own, inside };
    });
    const all = plan.beside.get(item) ?? [];
    const hubs = plan.hubs ? hubsOf(all, children.length) : new Map<number, number>();
    for (const { own } of parts) if (hubs.has(own.item)) this.sayUsers(own, `used by ${hubs.get(own.item)} of ${children.length - 1}`);
    const lines = withoutHubs(all, hubs);
    if (hubs.size) plan.toHubs += paired(all).length - paired(lines).length;
    const { spots, routes, shown, ...size } = this.arranged(children, parts.map((part) => part.own), lines, plan.thin, item);
    parts.forEach(({ own, inside }, number) => {
      own.x = Math.round(spots[number].x); // what is in it is drawn from here
      own.y = Math.round(spots[number].y);
      shift(inside, own.x, own.y);
      drawn.boxes.push(own);
      for (const each of inside.boxes) drawn.boxes.push(each);
      for (const each of inside.lines) drawn.lines.push(each);
      for (const each of inside.homes) drawn.homes.push(each);
    });
    drawn.homes.push(home);
    const pairs = paired(shown);
    if (shown.length < lines.length) plan.left += paired(lines).length - pairs.length;
    for (const line of pairs) drawn.lines.push({ ...line, home, route: routes(line) });
    return size;
  }

  private sayUsers(box: Box, said: string): void {
    if (box.frame) box.title += ` · ${said}`;
    else box.note += ` · ${said}`;
    box.width = Math.max(box.width, box.frame ? box.title.length * LETTER + 30 + 2 * PAD : box.note.length * 6.1 + 38);
  }

  /** Places for items that stand side by side, and the lines among them that are shown. */
  private arranged(items: number[], sizes: Size[], lines: Line[], thin: boolean, group = -1) {
    const at = new Map(items.map((item, number) => [item, number]));
    const needs: number[][] = items.map(() => []);
    for (const { from, to } of lines) needs[at.get(from)!].push(at.get(to)!);
    const { spots, routes, left, width, height } = this.placed(sizes, needs, thin, group);
    const shown = left ? lines.filter(({ from, to }) => left[at.get(from)!].has(at.get(to)!)) : lines;
    const route = ({ from, to }: Line): Route | undefined => {
      const [a, b] = [at.get(from)!, at.get(to)!];
      const back = routes.get(pairOf(b, a));
      if (back && !routes.has(pairOf(a, b))) routes.set(pairOf(a, b), reversed(back));
      return routes.get(pairOf(a, b));
    };
    return { spots, routes: route, shown, width, height };
  }

  /** What is laid out, or was: groups in which nothing has changed stay as they are. */
  private placed(sizes: Size[], needs: number[][], thin: boolean, group: number): Placed {
    const key = `${thin} ${sizes.map(({ width, height }) => `${width} ${height}`).join()} ${needs.join(";")}`;
    const known = this.plans.get(group);
    if (known?.key === key) return known.made;
    const kept = thin ? thinned(needs) : needs;
    const made = { ...arrange(sizes, kept), left: kept === needs ? undefined : kept.map((ends) => new Set(ends)) };
    if (group >= 0) this.plans.set(group, { key, made });
    return made;
  }

  /** Per group: the lines among its children, each for all edges between what is in them. */
  private besides(lines: Line[]): Map<number, Line[]> {
    const { tree } = this;
    const found = new Map<number, Map<number, Line>>();
    for (const line of lines) {
      const pair = tree.beside(line.from, line.to);
      if (!pair) continue;
      const [from, to] = pair;
      const home = tree.parent[from];
      if (!found.has(home)) found.set(home, new Map());
      const inside = found.get(home)!;
      const known = inside.get(pairOf(from, to));
      if (known) join(known, line);
      else inside.set(pairOf(from, to), { ...line, from, to });
    }
    return new Map([...found].map(([home, inside]) => [home, [...inside.values()]]));
  }

  // ---------------------------------------------------------------------------------------------- chosen targets
  /** The targets of a focus: itself, and what was expanded; of many neighbours the first. */
  private around(state: State, sieve: Sieve): { shown: Set<number>; left: number } {
    let left = 0;
    const shown = new Set(this.numbers(state.focus));
    for (const [labels, up] of [[state.down, false], [state.up, true]] as const) {
      for (const node of this.numbers(labels)) {
        shown.add(node);
        const ends = this.neighbours(node, up, sieve);
        left += Math.max(0, ends.length - MOST_NEIGHBOURS);
        for (const end of ends.slice(0, MOST_NEIGHBOURS)) {
          shown.add(end);
          if (!up) for (const maker of this.makers(end)) shown.add(maker);
        }
      }
    }
    return { shown, left };
  }

  /** The rule that makes a generated file. */
  private makers(node: number): number[] {
    const { graph } = this;
    const found: number[] = [];
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
      if (graph.flags[edge] & graph.data.flags.OUTPUT) found.push(graph.target[edge]);
    }
    return found;
  }

  private chosen(shown: Set<number>, sieve: Sieve, choice?: Choice, other?: Choice): Scene {
    const nodes = [...shown].sort((a, b) => a - b);
    const home: Home = { item: -1, x: 0, y: 0 };
    const boxes = nodes.map((node) => this.box(node, home, choice, other, true));
    const seen = new Int32Array(this.graph.count).fill(-1);
    for (const node of nodes) seen[node] = node;
    const lines = this.lines(seen, sieve, choice);
    const { spots, routes, width, height } = this.arranged(nodes, boxes, lines, false);
    boxes.forEach((box, number) => Object.assign(box, { x: spots[number].x, y: spots[number].y }));
    const drawn = paired(lines).map((line) => ({ ...line, home, route: routes(line) }));
    return { width, height, boxes, homes: [home], lines: drawn, close: () => drawn, said: `${nodes.length} targets shown` };
  }

  private why(from: number, to: number, sieve: Sieve, choice?: Choice, other?: Choice): Scene {
    const { graph } = this;
    const known = (edge: number) => !graph.isRest(graph.source[edge]) && !graph.isRest(graph.target[edge]);
    const counts = (edge: number) => known(edge) && sieve.shows(edge) && (!choice || choice.truth(edge) !== "n");
    const answer = why(this.graph, from, to, counts);
    if (!answer) {
      const scene = this.chosen(new Set([from, to]), sieve, choice, other);
      for (const box of scene.boxes) box.role = "end";
      return { ...scene, said: `${this.graph.labels[from]} does not depend on ${this.graph.labels[to]} through what is shown` };
    }
    const shown = new Set([...answer.path, ...answer.around.slice(0, MOST_AROUND)]);
    for (const node of answer.cutWays) shown.add(node);
    const scene = this.chosen(shown, sieve, choice, other);
    const steps = new Set(answer.edges.map((edge) => `${this.graph.source[edge]} ${this.graph.target[edge]}`));
    const cuts = new Set((answer.cut ?? []).map(([a, b]) => `${a} ${b}`));
    for (const line of scene.lines) {
      const keys = [`${line.from} ${line.to}`, `${line.to} ${line.from}`];
      line.role = keys.some((key) => cuts.has(key)) ? "cut" : keys.some((key) => steps.has(key)) ? "step" : "";
    }
    for (const box of scene.boxes) {
      if (box.item === from || box.item === to) box.role = "end";
      else if (answer.through.has(box.item)) box.role = "through";
      else if (answer.path.includes(box.item)) box.role = "step";
    }
    const cut = answer.cut ? `${counted(answer.cut.length, "edge")} cut all paths` : "more than 12 edges are needed to cut all paths";
    const through = answer.through.size ? `all paths go through ${counted(answer.through.size, "target")}` : "no target is on all paths";
    const said = `the shortest path has ${counted(answer.edges.length, "edge")}; ${through}; ${cut}`;
    return { ...scene, answer, said };
  }

  // ------------------------------------------------------------------------------------------------ boxes, lines
  private box(item: number, home: Home, choice?: Choice, other?: Choice, whole = false): Box {
    const { tree } = this;
    const { title, note, width } = this.words(item, whole);
    const group = tree.isGroup(item);
    const box: Box = { item, title, note, family: tree.family(item), group, home, x: 0, y: 0, frame: false, only: !group && this.graph.only(item) !== "", faded: false, change: "", role: "", width, height: 38 };
    if (choice || other) {
      const targets = tree.targets(item);
      const here = choice && targets.some((node) => choice.needed[node]);
      box.faded = choice !== undefined && !here;
      if (choice && other) {
        const there = targets.some((node) => other.needed[node]);
        box.change = here && !there ? "appears" : there && !here ? "vanishes" : "";
      }
    }
    return box;
  }

  /** What a box says, and how wide that makes it; asked again and again, so it is kept. */
  private words(item: number, whole: boolean): Words {
    const known = this.said[Number(whole)];
    let words = known.get(item);
    if (!words) {
      const { graph, tree } = this;
      const title = whole ? shortenedLabel(graph.labels[item], 48) : shortenedLabel(tree.title(item), MOST_LETTERS);
      const note = tree.isGroup(item) ? counted(tree.of(item).size, "target") : shortened(graph.kind(item));
      words = { title, note, width: Math.max([...title].length * LETTER, note.length * 6.1, 60) + 38 };
      known.set(item, words);
    }
    return words;
  }

  /** The edges among shown items, those of one pair as one line; `shownAs` is the item of each target, -1 for none. */
  private lines(shownAs: Int32Array, sieve: Sieve, choice?: Choice): Line[] {
    const { graph } = this;
    const { POSSIBLE } = graph.data.flags;
    const WEAK = graph.data.flags.IMPLICIT | graph.data.flags.TOOL;
    const items = graph.count + this.tree.groups.length;
    const found: Line[] = [];
    const known = new Int32Array(items).fill(-1); // the line to each item from the one that is looked at
    let last = -1;
    let own = 0; // the first line from there
    for (const node of together(shownAs, items)) {
      const from = shownAs[node];
      if (from !== last) own = found.length;
      last = from;
      for (let edge = graph.first[node], end = graph.first[node + 1]; edge < end; edge++) {
        const to = shownAs[graph.target[edge]];
        if (to < 0 || to === from || !sieve.shows(edge)) continue;
        const truth = choice ? choice.light(edge) : "";
        const weak = (graph.flags[edge] & WEAK) !== 0;
        const possible = (graph.flags[edge] & POSSIBLE) !== 0;
        if (known[to] < own) {
          known[to] = found.length;
          found.push({ from, to, count: graph.weight(edge), back: 0, truth, weak, possible, role: "" });
          continue;
        }
        join(found[known[to]], { count: graph.weight(edge), truth, weak, possible });
      }
    }
    return found;
  }
}

interface Drawn {
  boxes: Box[];
  homes: Home[];
  lines: Line[];
}

interface Placed extends Arrangement {
  left: Set<number>[] | undefined; // of each box, what it has a line to; undefined: all that it needs
}

interface Plan {
  expanded: Set<number>;
  alive: Uint8Array;
  beside: Map<number, Line[]>;
  thin: boolean;
  hubs: boolean; // boxes that most others use have no lines
  left: number; // lines that are not drawn, since longer ways imply them
  toHubs: number; // and those of such boxes
  choice: Choice | undefined;
  other: Choice | undefined;
}

function shift({ boxes, homes }: Drawn, x: number, y: number): void {
  for (const each of [...boxes, ...homes]) {
    each.x += x;
    each.y += y;
  }
}
