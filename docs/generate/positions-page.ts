import { CASES, DEFINITION, unmarked } from '../../apps/cli/test/positions/cases.ts';
import type { PositionCase } from '../../apps/cli/test/positions/cases.ts';

/** The page about places in files, from the cases that its spec judges. */
export function positionsPage(): string {
  return `# Places

<!-- Generated from apps/cli/test/positions/cases.ts by \`npm run docs\`; apps/cli/test/positions/positions.spec.ts judges each case. -->

Whatever is said of a document stands at \`file:line:column\`, from 1, columns in code points (as in SARIF; editors count UTF-16 code units, and \`assay lsp\` does so for them). A value is meant
from its first character on; an unknown field at its name; what is missing, at what it is missing in; an error of a rule, at the character of the file that is the one of the expression.

| Way of writing | Told at |
|---|---|
${CASES.map((one, i) => `| [${one.title}](#${i + 1}) | \`${placeOf(one)}\` |`).join('\n')}

${CASES.map(section).join('\n\n')}

## The definition of the objects

\`\`\`yaml
${DEFINITION.trim()}
\`\`\`
`;
}

function placeOf(one: PositionCase): string {
  const { line, column } = unmarked(one);
  return `${one.file}:${line}:${column}`;
}

function section(one: PositionCase, i: number): string {
  const { text, line, column } = unmarked(one);
  const lines = text.trimEnd().split('\n');
  const width = String(lines.length).length;
  // Ideographs and emoji take two columns where such a page is read.
  const before = [...(lines[line - 1] ?? '')]
    .slice(0, column - 1)
    .map((character) => (/\p{Emoji_Presentation}/u.test(character) ? '  ' : ' '));
  const shown = lines.flatMap((one, n) => [
    `${String(n + 1).padStart(width)} | ${one}`,
    ...(n === line - 1 ? [`${' '.repeat(width)} | ${before.join('')}^`] : []),
  ]);
  // What stands far above the place says nothing about it.
  const from = line > 12 ? line - 5 : 0;
  return `### ${i + 1}

${one.title}: \`${placeOf(one)}: ${one.says}…\`

\`\`\`text
${shown.slice(from).join('\n')}
\`\`\``;
}
