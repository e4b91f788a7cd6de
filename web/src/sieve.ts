// Which edges and targets count: what is hidden by hand, and what does not hold in a configuration.

import type { Graph } from "./data";
import type { State } from "./state";

/** What can be hidden by kind: its name in a state, and what the reader sees. */
export const KINDS: [string, string][] = [
  ["implicit", "implicit dependencies"],
  ["tools", "tools"],
  ["possible", "possible dependencies"],
  ["conditions", "conditions of select()"],
  ["visibility", "visibility"],
  ["tests", "tests"],
  ["files", "source files"],
  ["outside", "other repositories"],
  ["circles", "members of cycles one by one"],
  ["hubs", "lines to boxes that most others use"],
  ["implied", "lines implied by longer paths"],
];

const FLAGS: Record<string, string[]> = {
  implicit: ["IMPLICIT"],
  tools: ["TOOL"],
  possible: ["POSSIBLE"],
  conditions: ["KEY"],
  visibility: ["VISIBILITY", "NODEP"],
};

export type Truth = "y" | "n" | "?" | "";
export type Light = Truth | "+";

export class Sieve {
  readonly hidden: Uint8Array; // targets
  readonly thin: boolean; // lines that longer ways imply are left out
  readonly hubs: boolean; // so are those of boxes that most others use
  private readonly shown: Uint8Array; // edges: looked up again and again, so judged once

  constructor(readonly graph: Graph, state: State) {
    const hide = new Set(state.hide);
    this.thin = hide.has("implied");
    this.hubs = hide.has("hubs");
    const { data } = graph;
    const skipped = Object.entries(FLAGS).reduce(
      (all, [kind, names]) => (hide.has(kind) ? names.reduce((some, name) => some | data.flags[name], all) : all), 0);
    const unwanted = new Set(data.conditions.flatMap(({ text }, number) => (hide.has(`when:${text}`) ? [number] : [])));
    this.hidden = new Uint8Array(graph.count);
    const byPackage = data.packages.map(
      ({ repository }) => (repository && hide.has("outside")) || hide.has(`repo:${repository}`));
    for (let node = 0; node < graph.count; node++) {
      const tested = hide.has("tests") && graph.isTest(node);
      const file = hide.has("files") && graph.kind(node) === "source file";
      if (byPackage[graph.packageOf[node]] || tested || file) this.hidden[node] = 1;
    }
    this.shown = Uint8Array.from(graph.target, (end, edge) => Number(
      !(graph.flags[edge] & skipped) && !this.hidden[graph.source[edge]] && !this.hidden[end] &&
      !unwanted.has(graph.condition[edge])));
  }

  /** Whether an edge is shown: nothing hides it, nor its ends. */
  shows(edge: number): boolean {
    return this.shown[edge] === 1;
  }
}

/** A configuration by its words: which edges hold, and which targets are needed through them. */
export class Choice {
  readonly needed: Uint8Array;

  constructor(private readonly graph: Graph, words: string, private readonly truths: string, private readonly byItself: string) {
    const known = graph.data.needed?.[words];
    this.needed = known ? Uint8Array.from(known) : new Uint8Array(graph.count);
    if (known) return;
    const waiting: number[] = [];
    graph.data.nodes.root.forEach((root, node) => root && waiting.push(node));
    for (const node of waiting) this.needed[node] = 1;
    while (waiting.length) {
      const node = waiting.pop()!;
      for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge++) {
        const end = graph.target[edge];
        if (!this.needed[end] && this.truth(edge) !== "n") {
          this.needed[end] = 1;
          waiting.push(end);
        }
      }
    }
  }

  /** How an edge is drawn: as its truth, but `+` where the configuration makes hold what does not by itself. */
  light(edge: number): Light {
    const truth = this.truth(edge);
    return truth === "y" && this.byItself[this.graph.condition[edge]] !== "y" ? "+" : truth;
  }

  /** Whether an edge is there: "" for one without a condition. */
  truth(edge: number): Truth {
    const condition = this.graph.condition[edge];
    return condition ? (this.truths[condition] as Truth) : "";
  }

  static of(graph: Graph, words: string): Choice | undefined {
    const found = graph.data.configurations.find((each) => each.words === words);
    return found && new Choice(graph, words, found.truths, graph.data.configurations[0].truths); // the first is the default
  }
}
