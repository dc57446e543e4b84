// Print the definitions of a SCIP index: a JSON line each, of file, first line, own name and symbol.
//
//     node typescript_scip.js NODE_MODULES INDEX
//
// What has no symbol beyond its file (locals) is named by the text where it is defined, and its symbol
// is empty.
const { scip } = require(process.argv[2] + "/@sourcegraph/scip-typescript/dist/src/scip.js");
const fs = require("fs");
const DEFINITION = 1;
const index = scip.Index.deserializeBinary(fs.readFileSync(process.argv[3]));
for (const { relative_path: path, occurrences } of index.documents) {
  const lines = fs.readFileSync(path, "utf8").split("\n");
  for (const { range, symbol, symbol_roles: roles } of occurrences) {
    if (!(roles & DEFINITION)) continue;
    const [line, start, end] = range;
    if (/\.[cm]?tsx?`?\/$/.test(symbol)) continue; // the file itself
    const text = (lines[line] || "").slice(start, end);
    const global = symbol.startsWith("local ") ? "" : symbol.split(" ").slice(4).join(" ");
    console.log(JSON.stringify([path, line + 1, text, global]));
  }
}
