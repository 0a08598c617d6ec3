import { CASES, DEFINITION, unmarked } from '../../apps/cli/test/positions/cases.ts';
import type { PositionCase } from '../../apps/cli/test/positions/cases.ts';

/** Returns the page about the positions of errors in files, generated from the cases that the spec of the page checks. */
export function positionsPage(): string {
  return `# Places of errors

<!-- Generated from apps/cli/test/positions/cases.ts by \`npm run docs\`; apps/cli/test/positions/positions.spec.ts judges each case. -->

For authors and tools that read the places of errors.
At which line and column does Assay report an error?

Each error and note has a place \`file:line:column\`. Lines and columns count from 1. Columns count code points, as in SARIF. Only \`assay lsp\` counts
UTF-16 code units, as editors do.

- An error of a value: at the first character of the value.
- An unknown field: at the name of the field.
- A missing field: at the object or list that lacks the field.
- An error within a rule: at the wrong character of the rule, also in blocks of YAML and after escape sequences.

| Value or text that has the error | Place that Assay reports (file, line and column) |
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
  // Ideographs and emoji are two columns wide in a browser or terminal.
  const before = [...(lines[line - 1] ?? '')]
    .slice(0, column - 1)
    .map((character) => (/\p{Emoji_Presentation}/u.test(character) ? '  ' : ' '));
  const shown = lines.flatMap((one, n) => [
    `${String(n + 1).padStart(width)} | ${one}`,
    ...(n === line - 1 ? [`${' '.repeat(width)} | ${before.join('')}^`] : []),
  ]);
  // Lines far above the position are omitted.
  const from = line > 12 ? line - 5 : 0;
  return `### ${i + 1}

${one.title}: \`${placeOf(one)}: ${one.says}…\`

\`\`\`text
${shown.slice(from).join('\n')}
\`\`\``;
}
