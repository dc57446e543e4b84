// Print the symbols of TypeScript files as the compiler's own parser sees them: a JSON line a file.
//
//     node typescript_symbols.js NODE_MODULES < PATHS
//
// The paths are separated by NUL. Names, kinds and lines are those of docs/datasets.md, written again.
const ts = require(process.argv[2] + "/typescript");
const fs = require("fs");
const S = ts.SyntaxKind;
const FUNCTIONS = new Set([S.ArrowFunction, S.FunctionExpression]);
const BLOCKS = new Set([
  S.Block, S.IfStatement, S.ForStatement, S.ForInStatement, S.ForOfStatement, S.WhileStatement,
  S.DoStatement, S.TryStatement, S.CatchClause, S.SwitchStatement, S.CaseBlock, S.CaseClause,
  S.DefaultClause, S.LabeledStatement,
]);
function symbols(file) {
  const text = fs.readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const line = (at) => source.getLineAndCharacterOfPosition(at).line + 1;
  const add = (name, kind, node) =>
    found.push([name, kind, line(node.getStart(source)), line(node.end)]);
  const word = (node) => {
    if (!node) return "";
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) return node.text;
    return ts.isStringLiteral(node) && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(node.text) ? node.text : "";
  };
  const bound = (name) =>
    ts.isIdentifier(name) ? [name.text]
      : name.elements.flatMap((item) => (ts.isOmittedExpression(item) ? [] : bound(item.name)));
  const has = (node, kind) => (node.modifiers || []).some((item) => item.kind === kind);
  const body = (node, name) => {
    if (node && ts.isBlock(node)) walk(node.statements, name + ".", true);
  };
  const members = (node, prefix) => {
    for (const member of node.members) {
      let name = word(member.name);
      if (ts.isConstructorDeclaration(member)) name = "constructor";
      if (!name) continue;
      if (ts.isSetAccessor(member)) name += ".set";
      name = prefix + name;
      const value = member.initializer;
      if (ts.isPropertyDeclaration(member) || ts.isPropertySignature(member)) {
        const isMethod = value && FUNCTIONS.has(value.kind);
        add(name, isMethod ? "method" : "variable", member);
        if (isMethod) body(value.body, name);
      } else if (!ts.isIndexSignatureDeclaration(member)) {
        add(name, "method", member);
        for (const parameter of member.parameters || [])
          if (ts.isParameterPropertyDeclaration(parameter, member))
            add(prefix + word(parameter.name), "variable", parameter);
        body(member.body, name);
      }
    }
  };
  const module = (node, prefix, outer) => {
    let name = "", inner = node;
    if (ts.isIdentifier(node.name) && !(node.flags & ts.NodeFlags.GlobalAugmentation)) {
      name = node.name.text;
      while (inner.body && ts.isModuleDeclaration(inner.body)) {
        inner = inner.body;
        name += "." + inner.name.text;
      }
      add(prefix + name, "class", outer);
      prefix += name + ".";
    }
    if (inner.body) walk(inner.body.statements, prefix, false);
  };
  function walk(nodes, prefix, inFunction) {
    for (const node of nodes) visit(node, prefix, inFunction);
  }
  function visit(node, prefix, inFunction) {
    const isDefault = has(node, S.DefaultKeyword);
    const name = node.name ? prefix + word(node.name) : prefix + (isDefault ? "default" : "");
    if (ts.isFunctionDeclaration(node)) {
      add(name, "function", node);
      body(node.body, name);
    } else if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      add(name, "class", node);
      members(node, name + ".");
    } else if (ts.isEnumDeclaration(node)) {
      add(name, "class", node);
      for (const member of node.members)
        if (word(member.name)) add(name + "." + word(member.name), "variable", member);
    } else if (ts.isTypeAliasDeclaration(node)) {
      if (!inFunction) add(name, "variable", node);
    } else if (ts.isModuleDeclaration(node)) {
      module(node, prefix, node);
    } else if (ts.isExportAssignment(node)) {
      const value = node.expression;
      if (node.isExportEquals || !(FUNCTIONS.has(value.kind) || ts.isClassExpression(value))) return;
      const own = prefix + (value.name ? value.name.text : "default");
      add(own, ts.isClassExpression(value) ? "class" : "function", node);
      if (ts.isClassExpression(value)) members(value, own + ".");
      else body(value.body, own);
    } else if (ts.isVariableStatement(node)) {
      const items = node.declarationList.declarations;
      for (const item of items) {
        const value = item.initializer;
        let kind = "variable";
        if (value && FUNCTIONS.has(value.kind)) kind = "function";
        else if (value && ts.isClassExpression(value)) kind = "class";
        if (kind === "variable" && inFunction) continue;
        for (const one of bound(item.name)) add(prefix + one, kind, items.length > 1 ? item : node);
        if (!ts.isIdentifier(item.name)) continue;
        if (kind === "class") members(value, prefix + item.name.text + ".");
        if (kind === "function") body(value.body, prefix + item.name.text);
      }
    } else if (BLOCKS.has(node.kind)) {
      ts.forEachChild(node, (child) => visit(child, prefix, inFunction));
    }
  }
  walk(source.statements, "", false);
  return { errors: source.parseDiagnostics.length, found };
}
const files = fs.readFileSync(0, "utf8").split("\0").filter(Boolean);
for (const file of files) console.log(JSON.stringify(symbols(file)));
