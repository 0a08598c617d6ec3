import { ADVICE_KINDS } from '../../libs/crd/src/advice/all-kinds.ts';
import type { AdviceKind } from '../../libs/crd/src/advice/advice.ts';

/**
 * Results of a manual check, in which a person read pieces of advice next to their definitions. The numbers count definitions, all pieces
 * of advice, pieces that were read, and pieces that were right.
 */
const CHECKED = { definitions: 563, pieces: 503, read: 200, right: 197 } as const;

/** Returns the page about advice, generated from the declarations of the advice kinds. */
export function advicePage(): string {
  return `# Advice

<!-- Generated from libs/crd/src/advice by \`npm run docs\`. -->

For authors of definitions whose rules work and could be better.
Which kinds of advice does Assay give, when, and why?

\`assay explain\` gives advice on the rules of a definition. \`assay evaluate\` gives it on a definition that is refused, or judged without objects. Advice is a note and never
changes the exit status. Each note shows a place in the file, and its kind in brackets. \`-o json\` and \`POST /explain\` have it as \`advice\`.

\`--no-advice\` switches all advice off, and \`--no-advice=ID,…\` single kinds. \`.assay.yaml\` has the same settings:

\`\`\`yaml
advice:
  off: [unique-list]
oldest: '1.30'
\`\`\`

| Kind | Good practice |
|---|---|
${ADVICE_KINDS.map(({ id, title }) => `| [\`${id}\`](#${id}) | ${title} |`).join('\n')}

Most advice is right. The ${CHECKED.definitions} definitions of the corpora get ${CHECKED.pieces} different notes, with 1.30 as the oldest minor. Of ${CHECKED.read} notes that were picked at random and checked by hand, ${CHECKED.right}
(${((100 * CHECKED.right) / CHECKED.read).toFixed(1)} %) are right. The others say that a field may be absent, although the project's own mutating webhook fills it in. A schema does not show that.

${ADVICE_KINDS.map(section).join('\n\n')}
`;
}

function section({ id, title, doc, example: { before, after, oldest } }: AdviceKind): string {
  return `## ${id}

${title}.

${doc.replaceAll('\n', ' ')}

Example with this advice${oldest === undefined ? '' : ` (with \`--oldest ${oldest}\`)`}:

\`\`\`yaml
${before.trim()}
\`\`\`

The same without it:

\`\`\`yaml
${after.trim()}
\`\`\``;
}
