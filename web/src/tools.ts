// The bar above the drawing: what is hidden, which configuration is chosen, and what can be done with what is seen.

import type { Graph } from "./data";
import { button, html } from "./element";
import { KINDS } from "./sieve";
import type { State } from "./state";

export interface Deeds {
  change(change: Partial<State>): void;
  map(): void;
  undo(): void;
  redo(): void;
  fit(): void;
  theme(): void;
  svg(): void;
  png(): void;
  link(template: string): void;
}

export class Tools {
  readonly element: HTMLElement;
  private readonly boxes = new Map<string, HTMLInputElement>();
  private readonly config: HTMLSelectElement;
  private readonly versus: HTMLSelectElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  readonly doubt = html("small", { id: "doubt", role: "status" });
  private hidden: string[] = [];

  constructor(private readonly graph: Graph, served: boolean, private readonly deeds: Deeds) {
    this.config = this.chooser("config", "configuration", "every configuration");
    this.versus = this.chooser("versus", "compared with", "nothing");
    this.undo = button("↶", "Undo (Ctrl+Z)", deeds.undo);
    this.redo = button("↷", "Redo (Ctrl+Shift+Z)", deeds.redo);
    const links = html("input", { id: "links", placeholder: "vscode://file/home/me/src/{path}:{line}", size: "34", value: document.body.dataset.links ?? "" });
    links.addEventListener("change", () => deeds.link(links.value));
    this.element = html("div", { class: "tools", role: "toolbar", "aria-label": "tools" },
      button("Map", "Show the map of everything", deeds.map), this.undo, this.redo, button("Fit", "Fit the drawing into the window", deeds.fit),
      this.menu(),
      served && this.options(),
      html("label", {}, "in ", this.config), html("label", {}, "compared with ", this.versus), this.doubt,
      html("details", { class: "menu" }, html("summary", {}, "More"), html("div", {},
        button("Save SVG", "Save what is seen as SVG", deeds.svg), button("Save PNG", "Save what is seen as PNG", deeds.png),
        button("Print", "Print what is seen", () => print()), button("Light or dark", "Change between light and dark", deeds.theme),
        html("label", {}, "links to files ", links))),
    );
  }

  show(state: State, canUndo: boolean, canRedo: boolean): void {
    this.hidden = state.hide;
    for (const [kind, box] of this.boxes) box.checked = !state.hide.includes(kind);
    this.config.value = state.config;
    this.versus.value = state.versus;
    this.undo.disabled = !canUndo;
    this.redo.disabled = !canRedo;
    const chosen = this.graph.data.configurations.filter(({ words }) => words === state.config || words === state.versus);
    const others = chosen.filter((each) => each.otherRepositories).map((each) => each.words);
    this.doubt.textContent = others.length ? `${others.join(", ")} changes what repositories hold: this file has them without` : "";
  }

  private chooser(id: string, label: string, none: string): HTMLSelectElement {
    const made = html("select", { id, "aria-label": label }, html("option", { value: "" }, none),
      ...this.graph.data.configurations.map(({ words }) => html("option", { value: words }, words)));
    made.addEventListener("change", () => this.deeds.change({ [id]: made.value }));
    return made;
  }

  /** Any options of Bazel: the server loads what they change, and gives a page of that. */
  private options(): HTMLElement {
    const asked = new URLSearchParams(location.search).get("options") ?? "";
    const field = html("input", { id: "options", placeholder: "--config=cuda -c opt", size: "22" });
    field.value = asked;
    field.addEventListener("change", () => {
      location.search = new URLSearchParams({ options: field.value }).toString();
    });
    return html("label", {}, "options ", field);
  }

  private menu(): HTMLElement {
    const repositories = [...new Set(this.graph.data.packages.map((each) => each.repository).filter((each) => each))];
    const conditions = [...new Set(this.graph.data.conditions.map((each) => each.text).filter((each) => each))];
    return html("details", { class: "menu", id: "filters" }, html("summary", {}, "Show"), html("div", {},
      html("fieldset", {}, html("legend", {}, "kinds"), ...KINDS.map(([kind, words]) => this.check(kind, words))),
      repositories.length > 0 && html("fieldset", {}, html("legend", {}, "repositories"),
        ...repositories.map((name) => this.check(`repo:${name}`, `@${name}`))),
      conditions.length > 0 && html("fieldset", {}, html("legend", {}, "edges under a condition"),
        ...conditions.map((text) => this.check(`when:${text}`, text)))));
  }

  private check(kind: string, words: string): HTMLElement {
    const box = html("input", { type: "checkbox", "data-kind": kind });
    this.boxes.set(kind, box);
    box.addEventListener("change", () => {
      const others = this.hidden.filter((each) => each !== kind);
      this.deeds.change({ hide: box.checked ? others : [...others, kind] });
    });
    return html("label", {}, box, words);
  }
}
