// The panel: all that is known of a target, a group, a line, or the answer to why.

import { counted, grouped, type Graph } from "./data";
import type { Scene } from "./drawn";
import { button, html } from "./element";
import type { Choice, Sieve } from "./sieve";
import { ofOps, type State } from "./state";
import type { Tree } from "./tree";

export interface Steps {
  change(change: Partial<State>): void;
  focus(label: string): void;
  reveal(item: number): void;
}

const MOST_NEEDED = 7;
const MOST = 200; // rows of a list; more are asked for
const TRUTHS = { y: "holds", n: "does not hold", "?": "may hold" };
const NO_ADDRESS = new Set(["javascript:", "vbscript:", "data:", "blob:"]);

/** A link to a place of the checkout, if the template (as --link_template) gives an address for it; never a script. */
function placeLink(file: string, line: number, template: string): HTMLElement {
  const text = line ? `${file}:${line}` : file;
  const said: Record<string, string> = { path: file.split("/").map(encodeURIComponent).join("/"), line: String(line || 1), column: "1" };
  const filled = template.replace(/\{(path|line|column)\}/g, (_, field: string) => said[field]);
  try {
    if (template && !file.startsWith("external/") && !NO_ADDRESS.has(new URL(filled).protocol)) {
      return html("a", { href: filled, rel: "noreferrer" }, text);
    }
  } catch {
    // No address: the place is shown as text.
  }
  return html("span", { class: "place" }, text);
}

export class Panel {
  template = document.body.dataset.links ?? "";
  private needed?: [number, number][]; // the targets that most others need, with their number

  constructor(
    readonly element: HTMLElement, private readonly graph: Graph, private readonly tree: Tree, private readonly steps: Steps,
  ) {}

  private fill(...children: (Node | string | false | undefined)[]): void {
    this.element.replaceChildren(...children.filter((each): each is Node | string => !!each));
  }

  clear(): void {
    const { roots, targets, edges } = this.graph.data.totals;
    const gaps = new Set(this.graph.data.packages.flatMap((each) => each.gaps));
    this.fill(
      ...this.ops(),
      html("h2", {}, this.graph.data.title),
      html("p", {}, `${counted(roots, "target")} requested, ${grouped(targets)} with ` +
        `${roots === 1 ? "its" : "their"} dependencies, ${counted(edges, "edge")}.`),
      this.hints(),
      this.mostNeeded(),
      this.gaps([...gaps]),
    );
  }

  private hints(): HTMLElement {
    const rows = [
      ["click", "a box or a line to see details here; a box shows all of its lines"],
      ["+ in a box", "or double click: expand or collapse a group"],
      ["drag, wheel", "move and zoom; Fit shows everything"],
      ["arrow keys", "go from box to box; Enter expands or collapses, + and - zoom, 0 fits"],
      ["/", "search; Enter shows the target by itself"],
    ];
    return html("dl", { class: "hints" }, ...rows.flatMap(([key, words]) => [html("dt", {}, key), html("dd", {}, words)]));
  }

  /** Where to begin: the targets that most others need. */
  private mostNeeded(): HTMLElement | false {
    const { graph } = this;
    this.needed ??= this.countUsers();
    if (!this.needed.length) return false;
    const row = ([node, users]: [number, number]) => html("li", {},
      button(graph.labels[node], "Show this target by itself", () => this.steps.focus(graph.labels[node]), "jump"),
      html("span", { class: "reason" }, `used by ${counted(users, "target")}`));
    return html("details", { open: "" }, html("summary", {}, "most used"), html("ul", {}, ...this.needed.map(row)));
  }

  private countUsers(): [number, number][] {
    const { graph } = this;
    const { KEY, VISIBILITY, NODEP, IMPLICIT, TOOL } = graph.data.flags;
    if (graph.data.nodes.stands) return []; // not all are loaded
    const users = new Int32Array(graph.count);
    for (let node = 0; node < graph.count; node++) {
      let last = -1;
      for (let at = graph.intoFirst[node]; at < graph.intoFirst[node + 1]; at++) {
        const edge = graph.into[at];
        if (graph.source[edge] === last || graph.flags[edge] & (KEY | VISIBILITY | NODEP | IMPLICIT | TOOL)) continue;
        last = graph.source[edge];
        users[node]++;
      }
    }
    const many = Array.from(users.keys()).filter((node) => users[node] > 1);
    return many.sort((a, b) => users[b] - users[a] || a - b).slice(0, MOST_NEEDED).map((node) => [node, users[node]]);
  }

  /** What backs the ops that the page starts at: from the public name down to the kernels of each device. */
  private ops(): Node[] {
    const { graph, steps } = this;
    const { evidence } = graph.data;
    return [...new Set(evidence.map(({ asked }) => asked))].map((asked) => html("section", { class: "op" },
      html("h2", {}, asked),
      html("p", { class: "buttons" },
        button("Show its targets", "The targets and files behind the ops, and what depends on them", () => steps.change(ofOps(graph)!))),
      html("ol", {}, ...evidence.filter((each) => each.asked === asked).map(({ role, name, op, file, line, when, targets, source }) =>
        html("li", {},
          html("b", {}, role), ` ${name || op} `, file && placeLink(file, line, this.template),
          when && html("span", { class: "when" }, `when ${when}`),
          ...[...new Set([...targets, source])].filter((node) => node >= 0).map((node) => html("span", { class: "reason" },
            this.jump(node, graph.labels[node]))))))));
  }

  target(node: number, sieve: Sieve, choice: Choice | undefined, state: State): void {
    const { graph, steps } = this;
    const label = graph.labels[node];
    const only = graph.only(node);
    const [called, ...callers] = graph.stack(node);
    const rows = graph.values(node).map(([name, text]) => html("tr", {}, html("th", {}, name), html("td", {}, text)));
    this.fill(
      html("h2", { class: "label" }, label),
      html("p", {}, graph.kind(node), choice && !choice.needed[node] ? html("em", {}, " not needed in this configuration") : ""),
      only && html("p", { class: "only" }, "only under ", html("b", {}, only)),
      html("p", { class: "buttons" },
        button("Focus", "Show this target with its dependencies and dependents", () => steps.focus(label)),
        button("On the map", "Show this target in its package", () => steps.reveal(node)),
        button("Why from here", "Paths start at this target", () => steps.change({ from: label })),
        button("Why to here", "Paths end at this target", () => steps.change({ to: label }))),
      this.chosenEnds(state),
      called && html("p", {}, "defined at ", placeLink(called.file, called.line, this.template)),
      callers.length > 0 && html("details", { open: "" }, html("summary", {}, "macro stack"),
        html("ol", { class: "stack" }, ...[called, ...callers].map((frame) =>
          html("li", {}, `${frame.name} `, placeLink(frame.file, frame.line, this.template))))),
      rows.length > 0 && html("details", { open: "" }, html("summary", {}, "attributes"), html("table", {}, ...rows)),
      this.edges("depends on", this.range(graph.first, node), false, sieve, choice),
      this.edges("used by", Array.from(this.range(graph.intoFirst, node), (at) => graph.into[at]), true, sieve, choice),
      this.gaps(graph.data.packages[graph.packageOf[node]].gaps),
    );
  }

  group(item: number): void {
    const group = this.tree.of(item);
    const inside = this.tree.targets(item);
    const packages = new Set(inside.map((node) => this.graph.packageOf[node]));
    const gaps = new Set([...packages].flatMap((each) => this.graph.data.packages[each].gaps));
    const row = (child: number) => {
      const size = this.tree.isGroup(child) ? ` (${grouped(this.tree.of(child).size)})` : "";
      return html("li", {}, this.jump(child, this.tree.name(child)), size);
    };
    this.fill(
      html("h2", { class: "label" }, group.key || group.name),
      html("p", {}, `${group.what}: ${counted(group.size, "target")}` + (inside.some((node) => this.graph.isRest(node)) ? "" : ` in ${counted(packages.size, "package")}`)),
      html("details", { open: "" }, html("summary", {}, `${group.children.length} inside`), this.list(group.children, row)),
      this.gaps([...gaps]),
    );
  }

  /** The edges behind a line. */
  line([from, to]: string[], edges: number[], back: number[], choice: Choice | undefined): void {
    const row = (edge: number) => {
      const { source, target, labels } = this.graph;
      return html("li", {}, this.jump(source[edge], labels[source[edge]]), " → ", this.jump(target[edge], labels[target[edge]]),
        ...this.reason(edge, choice));
    };
    const part = (start: string, end: string, found: number[]) => found.length > 0 && html("section", {},
      html("h2", {}, `${start} → ${end}`),
      html("p", {}, `${grouped(found.reduce((sum, edge) => sum + this.graph.weight(edge), 0))} edges`), this.list(found, row));
    this.fill(part(from, to, edges), part(to, from, back));
  }

  why(scene: Scene, choice: Choice | undefined, state: State): void {
    const { graph } = this;
    const { answer } = scene;
    const step = (edge: number) =>
      html("li", {}, this.jump(graph.target[edge], graph.labels[graph.target[edge]]), ...this.reason(edge, choice));
    const pair = ([a, b]: [number, number]) =>
      html("li", {}, this.jump(a, graph.labels[a]), " → ", this.jump(b, graph.labels[b]));
    this.fill(
      html("h2", {}, "Why"),
      this.chosenEnds(state),
      html("p", { id: "why" }, scene.said),
      answer ? html("ol", { class: "path" }, html("li", {}, this.jump(answer.path[0], graph.labels[answer.path[0]])),
        ...answer.edges.map(step)) : "",
      answer && answer.through.size > 0 && html("details", { open: "" }, html("summary", {}, "every path goes through"),
        html("ul", {}, ...[...answer.through].map((node) => html("li", {}, this.jump(node, graph.labels[node]))))),
      answer?.cut && html("details", { open: "" }, html("summary", {}, "the smallest cut"), html("ul", {}, ...answer.cut.map(pair))),
    );
  }

  // ---------------------------------------------------------------------------------------------------------------
  private chosenEnds(state: State): HTMLElement | false {
    if (!state.from && !state.to) return false;
    const end = (label: string, other: string) => html("div", {}, `${other} `, html("b", {}, label || "… (choose a target)"));
    return html("div", { class: "ends" }, end(state.from, "from"), end(state.to, "to"),
      button("Close", "Close this question", () => this.steps.change({ from: "", to: "" })));
  }

  private range(first: Int32Array, node: number): number[] {
    return Array.from({ length: first[node + 1] - first[node] }, (_, at) => first[node] + at);
  }

  private edges(title: string, edges: number[], up: boolean, sieve: Sieve, choice: Choice | undefined): HTMLElement {
    const shown = edges.filter((edge) => sieve.shows(edge));
    const hidden = edges.length - shown.length;
    const row = (edge: number) => {
      const end = up ? this.graph.source[edge] : this.graph.target[edge];
      return html("li", {}, this.jump(end, this.graph.labels[end]), ...this.reason(edge, choice));
    };
    const said = `${title} (${shown.length}${hidden ? `, ${hidden} hidden` : ""})`;
    return html("details", { open: "" }, html("summary", {}, said), this.list(shown, row));
  }

  /** Why there is an edge: attribute, condition and whether it holds, what is special. */
  private reason(edge: number, choice: Choice | undefined): HTMLElement[] {
    const { graph } = this;
    const special = Object.entries(graph.data.flags).filter(([, bit]) => graph.flags[edge] & bit).map(([name]) => name.toLowerCase());
    const { text } = graph.data.conditions[graph.condition[edge]];
    const truth = choice?.truth(edge);
    const many = graph.weight(edge) > 1 ? `${grouped(graph.weight(edge))} edges` : "";
    const found = [html("span", { class: "reason" }, [graph.attribute(edge), many, ...special].filter(Boolean).join(", "))];
    if (text) found.push(html("span", { class: `when ${truth ? TRUTHS[truth].replaceAll(" ", "-") : ""}` },
      `when ${text}${truth ? ` (${TRUTHS[truth]})` : ""}`));
    return found;
  }

  private jump(item: number, text: string): HTMLElement {
    const made = button(text, `Show ${text}`, () => this.steps.change({ selected: this.tree.isGroup(item) ? this.tree.of(item).key : this.graph.labels[item] }));
    made.classList.add("jump");
    made.dataset.jump = text;
    return made;
  }

  private list<T>(items: T[], row: (item: T) => HTMLElement): HTMLElement {
    const made = html("ul", {}, ...items.slice(0, MOST).map(row));
    let shown = MOST;
    const more = button(`${items.length - shown} more`, "Show more", () => {
      more.before(...items.slice(shown, shown + 10 * MOST).map(row));
      shown += 10 * MOST;
      if (shown >= items.length) more.remove();
      else more.textContent = `${items.length - shown} more`;
    });
    if (items.length > shown) made.append(more);
    return made;
  }

  private gaps(numbers: number[]): HTMLElement | false {
    if (!numbers.length) return false;
    const row = (number: number) => {
      const { kind, what, hides, place } = this.graph.data.gaps[number];
      return html("li", {}, `${kind}: ${what}: ${hides}${place ? ` (${place})` : ""}`);
    };
    return html("details", { class: "gaps" }, html("summary", {}, `unknown here (${numbers.length})`), this.list(numbers, row));
  }
}
