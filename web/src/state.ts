// What is seen, as one value that can stand in the page's address: undo and redo are two stacks of it.

import type { Graph } from "./data";

export interface State {
  open: string[]; // groups that are expanded
  focus: string[]; // targets that are looked at alone; none: the map of everything
  down: string[]; // of these the targets they need are shown, too
  up: string[]; // of these those that need them
  from: string;
  to: string; // both given: why
  config: string;
  versus: string; // compared with config
  hide: string[]; // kinds of edges and targets, repositories (`repo:NAME`), conditions (`when:TEXT`)
  selected: string;
}

const START: State = {
  open: [], focus: [], down: [], up: [], from: "", to: "", config: "", versus: "", hide: ["visibility", "hubs", "implied"], selected: "",
};

/** A state as the part of an address behind `#`; what is as at the start is left out. */
export function encode(state: State): string {
  const written = new URLSearchParams();
  for (const key of Object.keys(START) as (keyof State)[]) {
    const value = state[key];
    if (JSON.stringify(value) === JSON.stringify(START[key])) continue;
    if (typeof value === "string") written.set(key, value);
    else if (value.length) value.forEach((each) => written.append(key, each));
    else written.set(key, "");
  }
  return written.toString();
}

export function decode(text: string): State {
  const read = new URLSearchParams(text.replace(/^#/, ""));
  const state = { ...START };
  for (const key of Object.keys(START) as (keyof State)[]) {
    if (!read.has(key)) continue;
    if (typeof START[key] === "string") Object.assign(state, { [key]: read.get(key) });
    else Object.assign(state, { [key]: read.getAll(key).filter((each) => each) });
  }
  return state;
}

/** The targets and files that back ops, with what needs the targets; undefined where the page is about none. */
export function ofOps(graph: Graph): Partial<State> | undefined {
  const { evidence } = graph.data;
  const labels = (nodes: number[]) => [...new Set(nodes)].filter((node) => node >= 0).map((node) => graph.labels[node]);
  const up = labels(evidence.flatMap(({ targets }) => targets));
  const focus = labels(evidence.flatMap(({ targets, source }) => [...targets, source]));
  return focus.length ? { focus, down: [], up, from: "", to: "", selected: "" } : undefined;
}

export class History {
  private readonly undone: State[] = [];
  private readonly done: State[] = [];

  constructor(public now: State, private readonly show: (state: State) => void) {
    addEventListener("hashchange", () => {
      if (location.hash.replace(/^#/, "") !== encode(this.now)) this.go(decode(location.hash));
    });
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  change(change: Partial<State>): void {
    const next = { ...this.now, ...change };
    if (encode(next) !== encode(this.now)) this.go(next);
  }

  go(next: State): void {
    this.done.push(this.now);
    this.undone.length = 0;
    this.set(next);
  }

  undo(): void {
    const last = this.done.pop();
    if (!last) return;
    this.undone.push(this.now);
    this.set(last);
  }

  redo(): void {
    const next = this.undone.pop();
    if (!next) return;
    this.done.push(this.now);
    this.set(next);
  }

  private set(state: State): void {
    this.now = state;
    const written = encode(state);
    try {
      history.replaceState(null, "", written ? `#${written}` : location.pathname + location.search);
    } catch {
      // A sandboxed frame has no address of its own.
    }
    this.show(state);
  }
}
