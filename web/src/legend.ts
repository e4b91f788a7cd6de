// Below the drawing: what the colours and lines in it mean, as far as it has them.

import type { Scene } from "./drawn";
import { html, svg } from "./element";

const LINES: [string, string, (scene: Scene) => boolean][] = [
  ["", "depends on", ({ lines }) => lines.length > 0],
  ["mutual", "depend on each other", ({ lines }) => lines.some(({ back }) => back)],
  ["weak", "implicit or tool", ({ lines }) => lines.some(({ weak }) => weak)],
  ["possible", "possible", ({ lines }) => lines.some(({ possible }) => possible)],
  ["holds", "condition holds", ({ lines }) => lines.some(({ truth }) => truth === "y" || truth === "+")],
  ["fails", "condition does not hold", ({ lines }) => lines.some(({ truth }) => truth === "n")],
  ["doubtful", "condition may hold", ({ lines }) => lines.some(({ truth }) => truth === "?")],
  ["why-step", "path in the panel", ({ lines }) => lines.some(({ role }) => role === "step")],
  ["why-cut", "smallest cut", ({ lines }) => lines.some(({ role }) => role === "cut")],
];

/** The classes of a box by the family of its rules. */
export function classOf(family: string): string {
  return `of-${family.replace(/\W+/g, "-")}`;
}

export class Legend {
  readonly element = html("p", { id: "legend", "aria-label": "legend" });
  private said = "";

  show(scene: Scene): void {
    const families = [...new Set(scene.boxes.filter(({ frame }) => !frame).map(({ family }) => family))].filter((each) => each).sort();
    const lines = LINES.filter(([, , has]) => has(scene));
    const closed = scene.boxes.some(({ group, frame }) => group && !frame);
    const said = `${families} ${lines.map(([name]) => name)} ${closed}`;
    if (said === this.said) return;
    this.said = said;
    this.element.replaceChildren(
      ...families.map((family) => entry(svg("g", { class: `sample ${classOf(family)}` },
        svg("rect", { x: "1", y: "2", width: "14", height: "10", rx: "3" })), 16, family)),
      ...(closed ? [entry(svg("g", { class: "sample" }, svg("rect", { x: "1", y: "1", width: "14", height: "10", rx: "3" }),
        svg("path", { class: "stack", d: "M4 13H15a3 3 0 0 0 3 -3V4" })), 19, "group")] : []),
      ...lines.map(([name, words]) => entry(svg("path", { class: `sample ${name}`, "stroke-width": "1.5",
        d: `M1 7H25M20 4L26 7L20 10Z${name === "mutual" ? "M7 4L1 7L7 10Z" : ""}` }), 28, words)),
    );
  }
}

function entry(sample: SVGElement, width: number, words: string): HTMLElement {
  return html("span", {}, svg("svg", { width: String(width), height: "15", "aria-hidden": "true" }, sample), words);
}
