// What is drawn: a state -> boxes with places, and lines between them.
// The map shows groups, expanded where the state says so; focus and why show chosen targets alone.

import { why } from "./ask";
import { Boxes } from "./boxes";
import { counted, grouped, type Graph } from "./data";
import type { Scene } from "./drawn";
import { Links, paired } from "./lines";
import { GroupMap } from "./map";
import { Places } from "./places";
import type { Choice, Sieve } from "./sieve";
import type { State } from "./state";
import type { Tree } from "./tree";

const MOST_NEIGHBOURS = 120;
const MOST_AROUND = 120;

export class Scenery {
  private readonly boxes: Boxes;
  private readonly places = new Places();
  private map?: GroupMap;

  constructor(private readonly graph: Graph, private readonly tree: Tree) {
    this.boxes = new Boxes(graph, tree);
  }

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
    if (this.map?.sieve !== sieve || this.map.choice !== choice || this.map.other !== other) {
      this.map = new GroupMap(this.graph, this.tree, this.boxes, this.places, sieve, choice, other);
    }
    return this.map.scene(new Set(state.open));
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
    const boxes = nodes.map((node) => this.boxes.box(node, -1, choice, other, true));
    const all = new Links(this.graph, this.tree, sieve, choice).among(nodes);
    const { spots, routes, width, height } = this.places.arranged(nodes, boxes, all, false);
    boxes.forEach((box, number) => Object.assign(box, { x: spots[number].x, y: spots[number].y }));
    const lines = paired(all).map((line) => ({ ...line, home: -1, route: routes(line) }));
    const homes = new Map([[-1, { x: 0, y: 0 }]]);
    return { width, height, parts: [{ home: -1, width, height, boxes, lines }], homes, boxes, lines, own: () => [], said: `${nodes.length} targets shown` };
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
}
