import { ADVICE_KINDS } from '../../libs/crd/src/advice/all-kinds.ts';
import type { AdviceKind } from '../../libs/crd/src/advice/advice.ts';

/** What was found when pieces of advice were read one by one beside their definitions. */
const CHECKED = { definitions: 563, pieces: 503, read: 200, right: 197 } as const;

/** The page about advice, from the declarations of its kinds. */
export function advicePage(): string {
  return `# Advice

<!-- Generated from libs/crd/src/advice by \`npm run docs\`. -->

\`assay explain\` gives advice on the rules of a definition, and so does \`assay evaluate\` on definitions that are refused or judged alone: what works and would be
better otherwise. Advice is a note: it fails nothing. Each piece stands at its place in the file, and names its kind in brackets. \`-o json\` and \`POST /explain\` have it as \`advice\`.

\`--no-advice\` switches all of it off, \`--no-advice=ID,…\` single kinds; so does \`.assay.yaml\`:

\`\`\`yaml
advice:
  off: [unique-list]
oldest: '1.30'
\`\`\`

| Kind | What it says |
|---|---|
${ADVICE_KINDS.map(({ id, title }) => `| [\`${id}\`](#${id}) | ${title} |`).join('\n')}

**How often it is right**: over the ${CHECKED.definitions} definitions of the corpora, all versions, and with 1.30 as the oldest minor, there are ${CHECKED.pieces} different pieces. ${CHECKED.read} picked at random were
read beside their rules and schemas: ${CHECKED.right} are right (${((100 * CHECKED.right) / CHECKED.read).toFixed(1)} %). The others name a field as absent that the project's own mutating webhook fills in, which no schema tells.

${ADVICE_KINDS.map(section).join('\n\n')}
`;
}

function section({ id, title, doc, example: { before, after, oldest } }: AdviceKind): string {
  return `## ${id}

${title}.

${doc.replaceAll('\n', ' ')}

Given of${oldest === undefined ? '' : ` (with \`--oldest ${oldest}\`)`}:

\`\`\`yaml
${before.trim()}
\`\`\`

Not given of:

\`\`\`yaml
${after.trim()}
\`\`\``;
}
