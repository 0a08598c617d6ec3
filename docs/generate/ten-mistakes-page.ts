import { MISTAKES } from '../../apps/cli/test/mistakes/cases.ts';
import type { Mistake } from '../../apps/cli/test/mistakes/cases.ts';

/** Returns the page about mistakes from public issues, generated from the cases that the spec of the page runs. */
export function tenMistakesPage(): string {
  return `# Ten mistakes

<!-- Generated from apps/cli/test/mistakes/cases.ts by \`npm run docs\`; apps/cli/test/mistakes/mistakes.spec.ts runs each command. -->

For authors of definitions who want to learn from other authors.
Which mistakes do authors make, and how does one command find the cause?

The ten mistakes come from public GitHub issues. Each example contains only the lines of a definition (CRD) that matter. [Error messages](../reference/errors.md) lists more messages.

| Issue | Mistake |
|---|---|
${MISTAKES.map(({ issue, title }, i) => `| ${issue} | [${title}](#${i + 1}) |`).join('\n')}

${MISTAKES.map(section).join('\n\n')}
`;
}

function section({ issue, title, files, argv, says, status, why }: Mistake, i: number): string {
  const command = argv.map((argument) => (/^[\w./=-]+$/.test(argument) ? argument : `'${argument}'`)).join(' ');
  const texts = Object.entries(files).map(([name, text]) => `\`${name}\`:\n\n\`\`\`yaml\n${shortened(text)}\n\`\`\``);
  return `### ${i + 1}

${title} (${issue}).

${texts.join('\n\n')}

\`assay ${command}\` ends with exit status ${status}. Its output contains:

\`\`\`text
${says.filter((part) => part !== '^').join('\n…\n')}
\`\`\`

${why}`;
}

/** Returns the text of a definition without its first lines, which are the same in all definitions. */
function shortened(text: string): string {
  const head = /^apiVersion: apiextensions[^]*?openAPIV3Schema:\n/.exec(text)?.[0];
  return head === undefined ? text.trim() : `# …\n      openAPIV3Schema:\n${text.slice(head.length).trimEnd()}`;
}
