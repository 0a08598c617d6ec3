// Lists every exported declaration of libs and apps without a docstring, and fails if there is one.
//   node scripts/undocumented-exports.mjs            what `npm run check` runs
//   node scripts/undocumented-exports.mjs --doubled  lists names that several files export, for a manual review
// A docstring also covers the constants and types that follow it without an empty line (constants in rows; a type derived from the schema
// or list above it). The declaration of a CEL function has its docstring as `doc`, which docs/reference/functions.md prints.
// Re-exports, specs, fixtures and generated files are omitted.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { programArguments } from '../testing/program-arguments.ts';

const root = join(import.meta.dirname, '..');
const { doubled } = programArguments('usage: node scripts/undocumented-exports.mjs [--doubled]\n', {
  doubled: { type: 'boolean', default: false },
}).values;
const folders = doubled ? ['libs', 'apps', 'conformance', 'loadtests'] : ['libs', 'apps'];
const LEFT_OUT = /\.spec\.ts$|\.d\.ts$|\/(testing|generated|node_modules|fixtures)\//;

/** Returns every exported declaration of a file: its name, its line (from 1), and whether a doc comment documents it. */
function exportsOf(path) {
  const text = readFileSync(path, 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  let before;
  for (const statement of file.statements) {
    const exported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword);
    const names = exported ? namesOf(statement) : [];
    const documented = (statement.jsDoc?.length ?? 0) > 0 || declaresItsDoc(statement) || continues(text, before, statement, names);
    for (const name of names) {
      const line = file.getLineAndCharacterOfPosition(statement.getStart()).line + 1;
      found.push({ name, line, documented, path: relative(root, path) });
    }
    before = { statement, documented, names };
  }
  return found;
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map((one) => one.name.getText());
  return statement.name === undefined ? [] : [statement.name.getText()];
}

/** Returns true if the statement declares a CEL function. The property `doc` of such a declaration is its documentation. */
function declaresItsDoc(statement) {
  if (!ts.isVariableStatement(statement)) return false;
  const [{ initializer }] = statement.declarationList.declarations;
  return (
    initializer !== undefined &&
    ts.isObjectLiteralExpression(initializer) &&
    initializer.properties.some((one) => one.name?.getText() === 'doc')
  );
}

/**
 * Returns true if the previous statement's doc comment also documents this statement. This is the case for a further overload of the same
 * function, and for a constant or type directly below another constant or type.
 */
function continues(text, before, statement, names) {
  if (!before?.documented) return false;
  if (ts.isFunctionDeclaration(statement)) return before.names[0] === names[0];
  const stands = (one) => ts.isVariableStatement(one) || ts.isTypeAliasDeclaration(one);
  return stands(before.statement) && stands(statement) && !/\n\s*\n/.test(text.slice(before.statement.end, statement.getStart()));
}

const found = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !LEFT_OUT.test(path))
  .toSorted((a, b) => (a < b ? -1 : 1))
  .flatMap((path) => exportsOf(path));

if (doubled) {
  const byName = Map.groupBy(found, (one) => one.name);
  for (const [name, places] of byName) {
    const files = [...new Set(places.map((one) => `${one.path}:${one.line}`))];
    if (new Set(places.map((one) => one.path)).size > 1) console.log(`${name}  ${files.join('  ')}`);
  }
} else {
  const missing = found.filter((one) => !one.documented);
  for (const { path, line, name } of missing) console.log(`${path}:${line}  ${name} has no docstring`);
  console.log(`${found.length - missing.length} of ${found.length} exported declarations have a docstring`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}
