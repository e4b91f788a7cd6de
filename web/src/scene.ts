// What is drawn: a state -> boxes with places, and lines between them.
// The map shows groups, expanded where the state says so; focus and why show chosen targets alone.

import { why, type Why } from "./ask";
import { grouped, type Graph } from "./data";
import { arrange, type Size } from "./layout";
import { Choice, Sieve, type Truth } from "./sieve";
import type { State } from "./state";
import type { Tree } from "./tree";

export interface Box extends Size {
  item: number;
  x: number;
  y: number;
  title: string;
  note: string;
  frame: boolean; // an expanded group, with boxes in it
  only: boolean; // there in some configurations alone
  faded: boolean; // not needed in the chosen configuration
  change: "" | "appears" | "vanishes"; // in the chosen configuration, compared with the other one
  role: "" | "end" | "step" | "through"; // in an answer to why
}

export interface Line {
  from: number;
  to: number;
  count: number;
  truth: Truth; // "" without a condition; of several edges the strongest
  weak: boolean; // implicit or tools, all of them
  possible: boolean;
  mutual: boolean; // there is one in the other direction
  role: "" | "step" | "cut";
}

export interface Scene extends Size {
  boxes: Box[];
  lines: Line[];
  answer?: Why;
  said: string; // in words, for a line below the search and for screen readers
}

export const MOST_NEIGHBOURS = 120;
const MOST_AROUND = 120;
const HEADER = 24;
const PAD = 12;
const LETTER = 7.25; // of the monospaced font that boxes have, 12 px
const MOST_LETTERS = 40;
const STRENGTH: Truth[] = ["n", "?", "y", ""];

/** Long names lose their middle. */
export function shortened(text: string, most = MOST_LETTERS): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}

interface Words {
  title: string;
  note: string;
  width: number;
}

export class Scenery {
  private readonly said: [Map<number, Words>, Map<number, Words>] = [new Map(), new Map()]; // short, whole

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
    const lines = this.lines(seen, sieve, choice);
    const boxes: Box[] = [];
    const size = this.place(tree.root, expanded, alive, this.lifted(lines), choice, other, boxes);
    const targets = boxes.filter((box) => !tree.isGroup(box.item)).length;
    const said = `${boxes.length - targets} groups and ${targets} targets shown of ${grouped(graph.totals.targets)}`;
    return { ...size, boxes, lines, said };
  }

  /** Lays out what is in a group, and all that is expanded in it; boxes are added from the outside in. */
  private place(
    item: number, expanded: Set<number>, alive: Uint8Array, lifted: Map<number, Map<number, Set<number>>>,
    choice: Choice | undefined, other: Choice | undefined, boxes: Box[],
  ): Size {
    const { tree } = this;
    const children = tree.of(item).children.filter((child) => alive[child]);
    const parts = children.map((child) => {
      const inside: Box[] = [];
      const own = this.box(child, choice, other);
      if (expanded.has(child)) {
        const size = this.place(child, expanded, alive, lifted, choice, other, inside);
        own.frame = true;
        own.width = Math.max(size.width, own.title.length * LETTER + 30) + 2 * PAD;
        own.height = size.height + HEADER + 2 * PAD;
        for (const each of inside) {
          each.x += PAD;
          each.y += HEADER + PAD;
        }
      }
      return { own, inside };
    });
    const at = new Map(children.map((child, number) => [child, number]));
    const needs = children.map((child) => [...(lifted.get(item)?.get(child) ?? [])].flatMap((end) => at.get(end) ?? []));
    const { spots, width, height } = arrange(parts.map((part) => part.own), needs);
    parts.forEach(({ own, inside }, number) => {
      own.x = spots[number].x;
      own.y = spots[number].y;
      for (const each of inside) {
        each.x += own.x;
        each.y += own.y;
      }
      boxes.push(own);
      for (const each of inside) boxes.push(each);
    });
    return { width, height };
  }

  /** Per group: which of its children have lines to which, wherever in them the lines end. */
  private lifted(lines: Line[]): Map<number, Map<number, Set<number>>> {
    const { tree } = this;
    const found = new Map<number, Map<number, Set<number>>>();
    for (const { from, to } of lines) {
      const pair = tree.beside(from, to);
      if (!pair) continue;
      const [a, b] = pair;
      const home = tree.parent[a];
      if (!found.has(home)) found.set(home, new Map());
      const inside = found.get(home)!;
      if (!inside.has(a)) inside.set(a, new Set());
      inside.get(a)!.add(b);
    }
    return found;
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
    const boxes = nodes.map((node) => this.box(node, choice, other, true));
    const seen = new Int32Array(this.graph.count).fill(-1);
    for (const node of nodes) seen[node] = node;
    const lines = this.lines(seen, sieve, choice);
    const at = new Map(nodes.map((node, number) => [node, number]));
    const needs: number[][] = nodes.map(() => []);
    for (const { from, to } of lines) needs[at.get(from)!].push(at.get(to)!);
    const { spots, width, height } = arrange(boxes, needs);
    boxes.forEach((box, number) => Object.assign(box, { x: spots[number].x, y: spots[number].y }));
    return { width, height, boxes, lines, said: `${nodes.length} targets shown` };
  }

  private why(from: number, to: number, sieve: Sieve, choice?: Choice, other?: Choice): Scene {
    const { graph } = this;
    const known = (edge: number) => !graph.isRest(graph.source[edge]) && !graph.isRest(graph.target[edge]);
    const counts = (edge: number) => known(edge) && sieve.shows(edge) && (!choice || choice.truth(edge) !== "n");
    const answer = why(this.graph, from, to, counts);
    if (!answer) {
      const scene = this.chosen(new Set([from, to]), sieve, choice, other);
      for (const box of scene.boxes) box.role = "end";
      return { ...scene, said: `${this.graph.labels[from]} does not need ${this.graph.labels[to]} through what is shown` };
    }
    const shown = new Set([...answer.path, ...answer.around.slice(0, MOST_AROUND)]);
    for (const node of answer.cutWays) shown.add(node);
    const scene = this.chosen(shown, sieve, choice, other);
    const steps = new Set(answer.edges.map((edge) => `${this.graph.source[edge]} ${this.graph.target[edge]}`));
    const cuts = new Set((answer.cut ?? []).map(([a, b]) => `${a} ${b}`));
    for (const line of scene.lines) {
      const key = `${line.from} ${line.to}`;
      line.role = cuts.has(key) ? "cut" : steps.has(key) ? "step" : "";
    }
    for (const box of scene.boxes) {
      if (box.item === from || box.item === to) box.role = "end";
      else if (answer.through.has(box.item)) box.role = "through";
      else if (answer.path.includes(box.item)) box.role = "step";
    }
    const cut = answer.cut ? `the smallest cut has ${answer.cut.length}` : "more than 12 edges are needed to cut them";
    const said =
      `${answer.edges.length} edges from ${this.graph.labels[from]} to ${this.graph.labels[to]}; ` +
      `every way goes through ${answer.through.size} others; ${cut}`;
    return { ...scene, answer, said };
  }

  // ------------------------------------------------------------------------------------------------ boxes, lines
  private box(item: number, choice?: Choice, other?: Choice, whole = false): Box {
    const { tree } = this;
    const { title, note, width } = this.words(item, whole);
    const box: Box = { item, title, note, x: 0, y: 0, frame: false, only: !tree.isGroup(item) && this.graph.only(item) !== "", faded: false, change: "", role: "", width, height: 38 };
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
      const title = shortened(whole ? graph.labels[item] : tree.name(item), whole ? 52 : MOST_LETTERS);
      const note = tree.isGroup(item) ? `${grouped(tree.of(item).size)} targets` : shortened(graph.kind(item));
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
        const truth = choice ? choice.truth(edge) : "";
        const weak = (graph.flags[edge] & WEAK) !== 0;
        const possible = (graph.flags[edge] & POSSIBLE) !== 0;
        if (known[to] < own) {
          known[to] = found.length;
          found.push({ from, to, count: graph.weight(edge), truth, weak, possible, mutual: false, role: "" });
          continue;
        }
        const line = found[known[to]];
        line.count += graph.weight(edge);
        line.weak &&= weak;
        line.possible &&= possible;
        if (truth !== line.truth && STRENGTH.indexOf(truth) > STRENGTH.indexOf(line.truth)) line.truth = truth;
      }
    }
    const pairs = new Set(found.map(({ from, to }) => from * items + to));
    for (const line of found) line.mutual = pairs.has(line.to * items + line.from);
    return found;
  }
}

/** The targets that are shown, those that are shown as one item next to each other (a sort by counting). */
function together(shownAs: Int32Array, items: number): Int32Array {
  const next = new Int32Array(items + 1);
  for (const item of shownAs) next[item + 1]++;
  const hidden = next[0];
  next[0] = 0;
  for (let item = 1; item <= items; item++) next[item] += next[item - 1];
  const found = new Int32Array(shownAs.length - hidden);
  shownAs.forEach((item, node) => {
    if (item >= 0) found[next[item]++] = node;
  });
  return found;
}
