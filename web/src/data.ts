// The data of the page, as bzlgraph/export/explorer/columns.py writes it, and the graph that it makes: columns of numbers.
// A node is a number, an edge is a number; whatever is text comes from the checkout and is only ever shown as text.

export interface PageData {
  schema: string;
  title: string;
  nodes: { name: string[]; kind: number[]; root: number[]; only: number[]; frame: number[]; macro: number[]; values: number[][]; stands?: number[] };
  edges: { count: number[]; target: number[]; attribute: number[]; condition: number[]; flags: number[]; weights?: number[] };
  packages: { repository: string; name: string; count: number; gaps: number[]; broken: boolean; rest?: "folder" | "package" }[];
  kinds: { words: string; test: boolean; family: string }[];
  macros: { name: string; function: string }[];
  frames: number[][]; // function, file, line, column, caller
  files: string[];
  functions: string[];
  attributes: string[];
  texts: string[];
  flags: Record<string, number>;
  conditions: { text: string; keys: string[] }[];
  gaps: { kind: string; what: string; hides: string; place: string }[];
  evidence: Evidence[]; // of ops: where the page starts, if there is any
  totals: { targets: number; roots: number; edges: number }; // of all, in a part too; missing targets are none
  needed?: Record<string, number[]>; // of a part: by configuration, whether a node is needed
  configurations: { words: string; truths: string; otherRepositories: boolean }[];
}

/** A piece of what backs an op, as `bzlgraph op` has it; `source` is the target of its file, -1 for none. */
export interface Evidence {
  asked: string;
  op: string;
  role: string;
  name: string;
  file: string;
  line: number;
  when: string;
  targets: number[];
  source: number;
}

/** The bytes of base64 text, decompressed and read. */
export async function unpack(base64: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const text = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  return JSON.parse(await text) as PageData;
}

export interface Frame {
  name: string;
  file: string;
  line: number;
  column: number;
}

export class Graph {
  readonly count: number;
  readonly packageOf: Int32Array;
  readonly first: Int32Array; // per node, the first of its edges; one more entry ends the last
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly condition: Int32Array;
  readonly flags: Int32Array;
  readonly into: Int32Array; // the edges by target; intoFirst says where those of a node begin
  readonly intoFirst: Int32Array;
  private readonly numbers = new Map<string, number>();
  readonly labels: string[];

  constructor(readonly data: PageData) {
    const { nodes, edges, packages } = data;
    this.count = nodes.name.length;
    this.packageOf = new Int32Array(this.count);
    this.labels = new Array<string>(this.count);
    let node = 0;
    packages.forEach((each, number) => {
      const before = `${packageLabel(each.repository, each.name)}:`;
      for (const end = node + each.count; node < end; node++) {
        this.packageOf[node] = number;
        this.labels[node] = each.rest ? groupKey(each) : before + nodes.name[node];
        if (!each.rest) this.numbers.set(this.labels[node], node);
      }
    });
    const size = edges.target.length;
    this.first = starts(edges.count);
    this.target = Int32Array.from(edges.target);
    this.condition = Int32Array.from(edges.condition);
    this.flags = Int32Array.from(edges.flags);
    this.source = new Int32Array(size);
    const incoming = new Int32Array(this.count);
    for (let from = 0; from < this.count; from++) {
      for (let edge = this.first[from]; edge < this.first[from + 1]; edge++) {
        this.source[edge] = from;
        incoming[this.target[edge]]++;
      }
    }
    this.intoFirst = starts(incoming);
    const next = this.intoFirst.slice();
    this.into = new Int32Array(size);
    for (let edge = 0; edge < size; edge++) this.into[next[this.target[edge]]++] = edge;
  }

  /** Whether a node stands for targets that are not loaded. */
  isRest(node: number): boolean {
    return this.data.nodes.stands !== undefined && this.data.nodes.stands[node] > 0;
  }

  /** How many targets a node is. */
  size(node: number): number {
    return this.data.nodes.stands?.[node] || 1;
  }

  /** How many edges an edge stands for. */
  weight(edge: number): number {
    return this.data.edges.weights?.[edge] ?? 1;
  }

  find(label: string): number | undefined {
    return this.numbers.get(label);
  }

  kind(node: number): string {
    return this.data.kinds[this.data.nodes.kind[node]].words;
  }

  /** Rules of one language, tests, files: what its colour says; "" of what is not loaded. */
  family(node: number): string {
    return this.data.kinds[this.data.nodes.kind[node]].family;
  }

  isTest(node: number): boolean {
    return this.data.kinds[this.data.nodes.kind[node]].test;
  }

  attribute(edge: number): string {
    return this.data.attributes[this.data.edges.attribute[edge]];
  }

  /** The configurations that alone have a target, in words; "" for one that is there without any. */
  only(node: number): string {
    return this.data.conditions[this.data.nodes.only[node]].text;
  }

  /** The call that made a target and those that led there, innermost first. */
  stack(node: number): Frame[] {
    const [names, files, lines, columns, callers] = this.data.frames;
    const found: Frame[] = [];
    for (let at = this.data.nodes.frame[node]; at >= 0; at = callers[at]) {
      const name = this.data.functions[names[at]];
      found.push({ name, file: this.data.files[files[at]], line: lines[at], column: columns[at] });
    }
    return found;
  }

  /** The values of attributes that were set: name, text. */
  values(node: number): [string, string][] {
    const row = this.data.nodes.values[node];
    const found: [string, string][] = [];
    for (let at = 0; at < row.length; at += 2) found.push([this.data.attributes[row[at]], this.data.texts[row[at + 1]]]);
    return found;
  }
}

const numbers = new Intl.NumberFormat("en"); // made once: toLocaleString makes one for each number

/** A number as people read it: 12,345. */
export function grouped(number: number): string {
  return numbers.format(number);
}

/** A number of things: "1 edge", "2,000 edges". */
export function counted(number: number, what: string): string {
  return `${grouped(number)} ${what}${number === 1 ? "" : "s"}`;
}

export function packageLabel(repository: string, name: string): string {
  return `${repository && `@${repository}`}//${name}`;
}

/** The key of the group that a node stands for. */
function groupKey({ repository, name, rest }: PageData["packages"][number]): string {
  const label = packageLabel(repository, name);
  return rest === "package" ? label : name ? `${label}/...` : `${label}...`;
}

function starts(counts: ArrayLike<number>): Int32Array {
  const found = new Int32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) found[at + 1] = found[at] + counts[at];
  return found;
}
