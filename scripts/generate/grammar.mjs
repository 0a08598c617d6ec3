// Generates lexer and parser from Cel.g4 with ANTLR, and prints them as a JSON list. A lexer or parser makes its tables only when a program
// first constructs it, because only a text with a syntax error needs them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../../testing/program-arguments.ts';

programArguments('usage: node scripts/generate/grammar.mjs\n', {});
const root = join(import.meta.dirname, '../..');
const generated = mkdtempSync(join(tmpdir(), 'assay-grammar-'));
process.on('exit', () => rmSync(generated, { recursive: true, force: true }));
const settings = ['-Dlanguage=TypeScript', '--generate-listener', 'false', '--generate-visitor', 'false'];
const antlr = join(root, 'node_modules/antlr-ng/dist/cli/runner.js');
// Standard output contains only the list.
execFileSync(process.execPath, [antlr, ...settings, '-o', generated, 'Cel.g4'], {
  cwd: join(root, 'libs/cel/src/language/syntax/antlr'),
  stdio: ['ignore', 2, 2],
});
console.log(JSON.stringify(['CelLexer', 'CelParser'].map(withLateTables)));

/** Returns the text of a generated module, in which a getter makes the table of decisions. */
function withLateTables(name) {
  const before = readFileSync(join(generated, `${name}.ts`), 'utf8');
  const after = before.replace(
    /private static readonly decisionsToDFA = (.*);/,
    'private static dfas: antlr.DFA[] | undefined;\n    private static get decisionsToDFA(): antlr.DFA[] {\n        return (this.dfas ??= $1);\n    }',
  );
  if (after === before) throw new Error(`${name}: no table of decisions was found`);
  return after;
}
