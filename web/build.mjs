// web/src -> bzlgraph/export/explorer/built: one script, one style sheet, and the licences of what the script holds.
// The same sources and package-lock.json give the same bytes. `node build.mjs DIR` writes elsewhere.
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, "../bzlgraph/export/explorer/built"));
mkdirSync(out, { recursive: true });

const made = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  charset: "ascii",
  legalComments: "none",
  target: ["chrome100", "firefox113", "safari16.4"],
  format: "iife",
  metafile: true,
  write: false,
});
writeFileSync(join(out, "explorer.js"), made.outputFiles[0].text);
writeFileSync(join(out, "explorer.css"), readFileSync(join(here, "src/explorer.css"), "utf8"));

const packages = new Set();
for (const input of Object.keys(made.metafile.inputs)) {
  const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (inside) packages.add(inside[1]);
}
const licences = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  return `${name} ${version} (${license}, ${homepage})\n\n${text}\n`;
});
writeFileSync(join(out, "LICENSES.txt"), licences.join(`\n${"-".repeat(80)}\n\n`));
