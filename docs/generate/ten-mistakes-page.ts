import { MISTAKES } from '../../apps/cli/test/mistakes/cases.ts';
import type { Mistake } from '../../apps/cli/test/mistakes/cases.ts';

/** The page about mistakes from public issues, from the cases that their spec tries. */
export function tenMistakesPage(): string {
  const sum = (of: (one: Mistake) => number): number => MISTAKES.reduce((total, one) => total + of(one), 0);
  const unanswered = MISTAKES.filter(({ steps }) => steps.before === undefined).length;
  const answered = MISTAKES.filter(({ steps }) => steps.before !== undefined);
  return `# Ten mistakes

<!-- Generated from apps/cli/test/mistakes/cases.ts by \`npm run docs\`; apps/cli/test/mistakes/mistakes.spec.ts runs each command. -->

Mistakes that people told of in public issues, cut down to what each is about, and how many commands it takes to the answer. *Before* is what it took with the state that new users
of Assay first tried; *now* is what the command below answers, which a test runs. Of ten, ${unanswered} had no answer or a wrong one; the others took ${answered.reduce((total, { steps }) => total + (steps.before ?? 0), 0)} steps together. Now all ten take ${sum(({ steps }) => steps.now)}.

| Issue | Mistake | Before | Now |
|---|---|---|---|
${MISTAKES.map(({ issue, title, steps }, i) => `| ${issue} | [${title}](#${i + 1}) | ${steps.before ?? 'none'} | ${steps.now} |`).join('\n')}

${MISTAKES.map(section).join('\n\n')}
`;
}

function section({ issue, title, files, argv, says, status, before }: Mistake, i: number): string {
  const command = argv.map((argument) => (/^[\w./=-]+$/.test(argument) ? argument : `'${argument}'`)).join(' ');
  const texts = Object.entries(files).map(([name, text]) => `\`${name}\`:\n\n\`\`\`yaml\n${shortened(text)}\n\`\`\``);
  return `### ${i + 1}

${title} (${issue}).

${texts.join('\n\n')}

\`assay ${command}\` ends with status ${status} and says, among other things:

\`\`\`text
${says.filter((part) => part !== '^').join('\n…\n')}
\`\`\`

Before: ${before}.`;
}

/** What is the same in all definitions says nothing about one of them. */
function shortened(text: string): string {
  const head = /^apiVersion: apiextensions[^]*?openAPIV3Schema:\n/.exec(text)?.[0];
  return head === undefined ? text.trim() : `# …\n      openAPIV3Schema:\n${text.slice(head.length).trimEnd()}`;
}
