// The search field with its completion: a combobox, as screen readers know it.

import { html } from "./element";
import type { Match } from "./search";

export class Finder {
  readonly input = html("input", {
    id: "search", type: "search", placeholder: "find a target, package or folder ( / )", role: "combobox",
    "aria-label": "find a target, package or folder", "aria-autocomplete": "list", "aria-controls": "matches",
    "aria-expanded": "false", autocomplete: "off", spellcheck: "false",
  });
  readonly element: HTMLElement;
  private readonly listed = html("ul", { id: "matches", role: "listbox", "aria-label": "matches", hidden: "" });
  private matches: Match[] = [];
  private at = 0;
  private leaving = 0;

  constructor(private readonly complete: (text: string) => Match[] | Promise<Match[]>, private readonly choose: (match: Match) => void) {
    this.element = html("div", { class: "finder" }, this.input, this.listed);
    this.input.addEventListener("input", () => void this.offer());
    this.input.addEventListener("blur", () => (this.leaving = window.setTimeout(() => this.close(), 150))); // a match may be what was clicked
    this.input.addEventListener("focus", () => clearTimeout(this.leaving)); // else what is typed now is closed with the old
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.listed.addEventListener("pointerdown", (event) => {
      const row = (event.target as Element).closest("li");
      if (row) this.take([...this.listed.children].indexOf(row));
    });
  }

  private async offer(): Promise<void> {
    const text = this.input.value;
    const found = this.complete(text);
    const matches = found instanceof Promise ? await found : found;
    if (text !== this.input.value) return; // typed on, or chosen, while a server was asked
    this.matches = matches;
    const rows = this.matches.map(({ label }, number) => html("li", { role: "option", id: `match${number}` }, label));
    const none = this.input.value.trim() ? [html("li", { class: "none" }, "nothing matches")] : [];
    this.listed.replaceChildren(...(rows.length ? rows : none));
    this.listed.hidden = !this.listed.children.length;
    this.input.setAttribute("aria-expanded", String(!this.listed.hidden));
    this.mark(0);
  }

  private mark(number: number): void {
    this.at = Math.max(0, Math.min(number, this.matches.length - 1));
    [...this.listed.children].forEach((row, each) => row.setAttribute("aria-selected", String(each === this.at)));
    if (this.matches.length) this.input.setAttribute("aria-activedescendant", `match${this.at}`);
    this.listed.children[this.at]?.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "ArrowDown") this.mark(this.at + 1);
    else if (event.key === "ArrowUp") this.mark(this.at - 1);
    else if (event.key === "Enter") this.take(this.at);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  private take(number: number): void {
    const match = this.matches[number];
    if (!match) return;
    this.input.value = "";
    this.close();
    this.choose(match);
  }

  private close(): void {
    this.listed.hidden = true;
    this.matches = [];
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
