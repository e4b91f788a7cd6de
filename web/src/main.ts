// The explorer: data -> graph -> groups; a state chooses a scene, which is drawn. Every wish changes the state.

import type { Box } from "./boxes";
import { counted, Graph, grouped, unpack } from "./data";
import type { Scene } from "./drawn";
import { html } from "./element";
import { Finder } from "./finder";
import { Legend } from "./legend";
import { Panel } from "./panel";
import { keysOf, Parts } from "./parts";
import { pngOf, save, svgText } from "./pictures";
import { complete } from "./search";
import type { Line } from "./lines";
import { Scenery } from "./scene";
import { Choice, Sieve } from "./sieve";
import { decode, History, ofOps, type State } from "./state";
import { Tools } from "./tools";
import { Tree } from "./tree";
import { View } from "./view";
import { MOST_LINES } from "./wires";

class Explorer {
  private tree!: Tree;
  private scenery!: Scenery;
  private readonly history: History;
  private readonly view: View;
  private panel!: Panel;
  private readonly tools: Tools;
  private readonly finder: Finder;
  private readonly stage: HTMLElement;
  private readonly side: HTMLElement;
  private readonly legend = new Legend();
  private readonly status = html("p", { id: "status", role: "status", "aria-live": "polite" });
  private sieve!: Sieve;
  private choice?: Choice;
  private other?: Choice; // compared with it
  private scene!: Scene;
  private last?: State;
  private anchor = "";
  private centred = ""; // what comes into the middle when it is drawn
  private turn = 0; // of what a server was asked

  constructor(private graph: Graph, private readonly parts?: Parts) {
    const begin = location.hash.length > 1 ? {} : ofOps(graph) ?? { open: new Tree(graph).opening() };
    this.history = new History({ ...decode(location.hash), ...begin }, (state) => this.show(state));
    const stage = html("main", { id: "stage", tabindex: "0", "aria-label": "graph: arrow keys go from box to box" });
    const side = html("aside", { id: "panel", "aria-label": "details" });
    this.finder = new Finder((text) => (parts ? parts.find(text) : complete(text, this.graph, this.tree)),
      ({ label, group }) => (group ? this.reveal(label) : this.focus(label)));
    const change = (wish: Partial<State>) => this.history.change(wish);
    this.stage = stage;
    this.side = side;
    this.use(graph);
    this.tools = new Tools(graph, document.body.dataset.served !== "no", {
      change,
      map: () => change({ focus: [], down: [], up: [], from: "", to: "" }),
      undo: () => this.history.undo(),
      redo: () => this.history.redo(),
      fit: () => this.view.fit(),
      theme: () => this.theme(),
      svg: () => save("explore.svg", new Blob([this.picture()], { type: "image/svg+xml" })),
      png: () => void pngOf(this.picture()).then((blob) => save("explore.png", blob)),
      link: (template) => {
        this.panel.template = template;
        this.detail();
      },
    });
    document.body.append(html("header", {}, this.finder.element, this.tools.element), stage, side, html("footer", {}, this.legend.element, this.status));
    this.view = new View(stage, {
      select: (item) => this.select(item),
      toggle: (item) => this.toggle(item),
      line: (line) => this.line(line),
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeprint", () => this.view.fit());
    this.show(this.history.now);
  }

  // -------------------------------------------------------------------------------------------------------- wishes
  private select(item: number): void {
    this.history.change({ selected: this.key_of(item) });
    this.view.focus(item);
  }

  /** The ends of a question why: kept while the other one is looked for, left behind when it is answered. */
  private get asking(): Pick<State, "from" | "to"> {
    const { from, to } = this.history.now;
    return from && to ? { from: "", to: "" } : { from, to };
  }

  private focus(label: string): void {
    this.history.change({ focus: [label], down: [label], up: [label], ...this.asking, selected: label });
  }

  /** Shows a group or a target on the map, in all groups that it is in. */
  private reveal(key: string): void {
    const item = this.item(key);
    const above = item === undefined ? [] : [...this.tree.above(item), ...(this.tree.isGroup(item) ? [item] : [])];
    const keys = this.parts ? [...keysOf(key), ...this.tree.shelf(item)] : above.map((each) => this.tree.of(each).key);
    this.centred = key;
    this.history.change({
      open: [...new Set([...this.history.now.open, ...keys])], focus: [], down: [], up: [], ...this.asking, selected: key,
    });
  }

  /** Expands a group or folds it; shows what a target needs, or no longer. */
  private toggle(item: number): void {
    this.anchor = this.key_of(item);
    if (this.tree.isGroup(item)) this.swap("open", this.tree.of(item).key);
    else if (this.history.now.focus.length) this.swap("down", this.graph.labels[item]);
    else this.focus(this.graph.labels[item]);
  }

  private swap(list: "open" | "down" | "up", key: string): void {
    const now = this.history.now[list];
    this.history.change({ [list]: now.includes(key) ? now.filter((each) => each !== key) : [...now, key] });
  }

  private line({ from, to, back }: Line): void {
    const { first, target } = this.graph;
    const [a, b] = [from, to].map((item) => new Set(this.tree.targets(item)));
    const edges = (starts: Set<number>, ends: Set<number>) => [...starts].flatMap((node) =>
      Array.from({ length: first[node + 1] - first[node] }, (_, at) => first[node] + at)
        .filter((edge) => ends.has(target[edge]) && this.sieve.shows(edge)));
    this.panel.line([this.key_of(from), this.key_of(to)], edges(a, b), back ? edges(b, a) : [], this.choice);
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      if (event.shiftKey) this.history.redo();
      else this.history.undo();
      return event.preventDefault();
    }
    if (event.altKey || (event.target as Element).closest("input, select, button, summary, a")) return;
    const item = this.item(this.history.now.selected) ?? -1;
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const arrow = arrows[event.key];
    if (arrow) {
      const next = this.view.beside(item, ...arrow);
      if (next >= 0) this.select(next);
    } else if (event.key === "/") this.finder.input.focus();
    else if (event.key === "Enter" || event.key === " ") item >= 0 && this.toggle(item);
    else if (event.key === "Escape") this.select(-1);
    else if (event.key === "f" && item >= 0 && !this.tree.isGroup(item)) this.focus(this.graph.labels[item]);
    else if (event.key === "u" && item >= 0 && this.history.now.focus.length) this.swap("up", this.graph.labels[item]);
    else if (event.key === "+" || event.key === "-") this.view.by(event.key === "+" ? 1.3 : 1 / 1.3);
    else if (event.key === "0") this.view.fit();
    else return;
    event.preventDefault();
  }

  private theme(): void {
    const { dataset } = document.documentElement;
    const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = dark ? "light" : "dark";
  }

  // ------------------------------------------------------------------------------------------------------- showing
  /** What is known from now on: items have other numbers, and all that is remembered of them is of these. */
  private use(graph: Graph): void {
    const keys = new Map(this.scene?.boxes.map(({ item }) => [item, this.key_of(item)]));
    this.graph = graph;
    this.tree = new Tree(graph);
    this.scenery = new Scenery(graph, this.tree);
    this.last = undefined;
    const template = this.panel?.template;
    this.panel = new Panel(this.side, graph, this.tree, {
      change: (wish) => this.history.change(wish), focus: (label) => this.focus(label), reveal: (item) => this.reveal(this.key_of(item)),
    });
    if (template !== undefined) this.panel.template = template;
    if (!this.scene) return;
    const numbers = new Map([...keys].map(([item, key]) => [item, this.item(key) ?? -1]));
    this.view.renumber((item) => numbers.get(item) ?? -1);
  }

  /** Shows a state, when all that it needs is here. */
  private show(state: State): void {
    const turn = ++this.turn;
    if (!this.parts?.lacks(state)) return this.draw(state);
    this.status.textContent = "Loading…";
    this.stage.setAttribute("aria-busy", "true");
    const { last } = this;
    this.parts.part(state).then((data) => {
      if (turn !== this.turn) return;
      this.use(new Graph(data));
      this.draw(state, last);
      this.stage.removeAttribute("aria-busy");
    }).catch((problem: unknown) => turn === this.turn && (this.status.textContent = `Not loaded: ${String(problem)}`));
  }

  private draw(state: State, before = this.last): void {
    const { last } = this;
    const same = (...keys: (keyof State)[]) =>
      last !== undefined && keys.every((key) => JSON.stringify(last[key]) === JSON.stringify(state[key]));
    const place = `${state.focus} ${state.from && state.to ? `${state.from} ${state.to}` : ""}`;
    const there = before && `${before.focus} ${before.from && before.to ? `${before.from} ${before.to}` : ""}`;
    const anchor = place === there ? this.item(this.anchor) ?? this.scene?.boxes.find(({ item }) => item >= 0)?.item ?? -1 : -1;
    this.anchor = "";
    const drawn = same("open", "focus", "down", "up", "config", "versus", "hide") && place === there;
    this.last = state;
    if (!drawn) {
      if (!same("hide")) {
        this.sieve = new Sieve(this.graph, state);
        this.tree.fold(state.hide.includes("circles"));
      }
      if (!same("config")) this.choice = Choice.of(this.graph, state.config);
      if (!same("versus")) this.other = state.versus ? Choice.of(this.graph, state.versus) : undefined;
      this.scene = this.scenery.make(state, this.sieve, this.choice, this.other);
      this.view.show(this.scene, (box) => this.described(box), (box) => this.sign(box), anchor);
      this.legend.show(this.scene);
      const left = this.scene.lines.length - this.view.lineCount;
      const lines = left ? `; the ${grouped(MOST_LINES)} strongest of ` +
        `${grouped(this.scene.lines.length)} lines, choose a box to see all of its own` : "";
      this.status.textContent = this.scene.said + lines;
    }
    this.tools.show(state, this.history.canUndo, this.history.canRedo);
    this.detail();
    const centred = this.item(this.centred);
    if (centred !== undefined) this.view.centre(centred);
    this.centred = "";
  }

  private detail(): void {
    const state = this.history.now;
    const item = this.item(state.selected);
    this.view.mark(item ?? -1);
    if (item !== undefined && !this.tree.isGroup(item)) this.panel.target(item, this.sieve, this.choice, state);
    else if (item !== undefined) this.panel.group(item);
    else if (state.from && state.to) this.panel.why(this.scene, this.choice, state);
    else this.panel.clear();
  }

  private described(box: Box): string {
    const { item } = box;
    const only = box.only ? `only under ${this.graph.only(item)}` : "";
    const state = [only, box.faded && "not needed in this configuration", box.change, box.role === "through" && "on every path"]
      .filter(Boolean).map((each) => `, ${each}`).join("");
    if (!this.tree.isGroup(item)) return `${this.graph.labels[item]}, ${this.graph.kind(item)}${state}`;
    const { key, what, name, size } = this.tree.of(item);
    return `${what} ${key || name}, ${counted(size, "target")}${state}`;
  }

  private sign(box: Box): string {
    if (this.tree.isGroup(box.item)) return box.frame ? "−" : "+";
    const { focus, down } = this.history.now;
    if (!focus.length) return "";
    return down.includes(this.graph.labels[box.item]) ? "−" : this.scenery.leads(box.item, this.sieve) ? "+" : "";
  }

  private picture(): string {
    const chosen = document.documentElement.dataset.theme;
    return svgText(this.view.drawing, chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  }

  private item(key: string): number | undefined {
    return key ? this.graph.find(key) ?? this.tree.find(key) : undefined;
  }

  private key_of(item: number): string {
    return item < 0 ? "" : this.tree.isGroup(item) ? this.tree.of(item).key : this.graph.labels[item];
  }
}

async function start(): Promise<void> {
  const source = document.getElementById("data")!;
  const parts = document.body.dataset.served === "parts" ? new Parts() : undefined;
  const data = await (parts ? parts.part(decode(location.hash)) : unpack(source.textContent!.trim()));
  source.remove();
  new Explorer(new Graph(data), parts);
  document.body.dataset.ready = "";
}

start().catch((problem: unknown) => {
  document.body.append(html("p", { class: "broken", role: "alert" }, `This page cannot be shown: ${String(problem)}`));
});
