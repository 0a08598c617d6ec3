// Generates lexer and parser from Cel.g4 with ANTLR, and makes their tables when one of them is first constructed, not when it is loaded: only text with a
// syntax error needs them.
//   npm run tool -- grammar
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments } from '../../testing/program-arguments.ts';

programArguments('usage: npm run tool -- grammar\n', {});
const folder = join(import.meta.dirname, '../../libs/cel/src/language/syntax/antlr');
const generated = join(folder, 'generated');
const settings = ['-Dlanguage=TypeScript', '--generate-listener', 'false', '--generate-visitor', 'false'];
execFileSync('antlr-ng', [...settings, '-o', 'generated', 'Cel.g4'], { cwd: folder, stdio: 'inherit' });
for (const name of readdirSync(generated)) if (/\.(interp|tokens)$/.test(name)) rmSync(join(generated, name));

for (const name of ['CelLexer', 'CelParser']) {
  const file = join(generated, `${name}.ts`);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /private static readonly decisionsToDFA = (.*);/,
    'private static dfas: antlr.DFA[] | undefined;\n    private static get decisionsToDFA(): antlr.DFA[] {\n        return (this.dfas ??= $1);\n    }',
  );
  if (after === before) throw new Error(`${file}: no table of decisions was found`);
  writeFileSync(file, after);
}
