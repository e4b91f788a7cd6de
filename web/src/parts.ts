// An exploration that is too large for one page: a server is asked for what is looked at (bzlgraph/export/explorer/outline.py).

import type { PageData } from "./data";
import type { Match } from "./search";
import { encode, type State } from "./state";

export class Parts {
  private known = "";

  /** Whether a state needs data that is not here. */
  lacks(state: State): boolean {
    return this.known !== wanted(state);
  }

  async part(state: State): Promise<PageData> {
    const asked = wanted(state);
    const data = (await this.ask("part", asked)) as PageData;
    this.known = asked;
    return data;
  }

  async find(text: string): Promise<Match[]> {
    const found = (await this.ask("find", text)) as [string, boolean][];
    return found.map(([label, group]) => ({ label, group }));
  }

  private async ask(what: string, asked: string): Promise<unknown> {
    const query = new URLSearchParams(location.search);
    query.set("asked", asked);
    const answer = await fetch(`${what}?${query.toString()}`);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
}

/** A state as it is asked for: a group that is selected needs no more than one that is not. */
function wanted(state: State): string {
  return encode({ ...state, selected: state.selected.includes(":") ? state.selected : "" });
}

/** The groups that a group or target is in, outermost first, and itself if it is a group: of its label alone. */
export function keysOf(label: string): string[] {
  const [, home, path, name] = /^((?:@+[^/]*)?\/\/)([^:]*?)(\/?\.\.\.|:.*|)$/.exec(label) ?? ["", "//", "", ""];
  const parts = path ? path.split("/") : [];
  const folders = parts.map((_, at) => `${home}${parts.slice(0, at + 1).join("/")}/...`);
  const outside = home === "//" ? [] : ["@...", `${home}...`];
  return [...outside, ...folders, ...(name.endsWith("...") ? [] : [home + path])];
}
