// Makes the tables of the generated lexer and parser when one of them is first constructed, and not when it is loaded: only text with a syntax error needs them.
// `npm run grammar` runs this after ANTLR.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

for (const name of ['CelLexer', 'CelParser']) {
  const file = join(import.meta.dirname, `../libs/cel/src/language/syntax/antlr/generated/${name}.ts`);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /private static readonly decisionsToDFA = (.*);/,
    'private static dfas: antlr.DFA[] | undefined;\n    private static get decisionsToDFA(): antlr.DFA[] {\n        return (this.dfas ??= $1);\n    }',
  );
  if (after === before) throw new Error(`${file}: no table of decisions was found`);
  writeFileSync(file, after);
}
