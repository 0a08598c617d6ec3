import { ADVICE_KINDS } from '../../libs/crd/src/advice/all-kinds.ts';
import type { AdviceKind } from '../../libs/crd/src/advice/advice.ts';

/**
 * Results of a manual check, in which a person read pieces of advice next to their definitions. The numbers count definitions, all pieces
 * of advice, pieces that were read, and pieces that were right.
 */
const CHECKED = { definitions: 563, pieces: 503, read: 200, right: 197 } as const;

/**
 * Number of different notes about patterns that the same definitions get. A person read all of them, and all are right. All are of the kind
 * `unanchored-pattern`.
 */
const PATTERN_NOTES = 20;

/** Returns the page about advice, generated from the declarations of the advice kinds. */
export function advicePage(): string {
  return `# Advice

<!-- Generated from libs/crd/src/advice by \`npm run docs\`. -->

For authors of definitions (CustomResourceDefinitions) with CEL rules or patterns.
Which advice does Assay give, when, and why?

\`assay explain\` gives advice on the rules, the patterns and the enums of a definition. \`assay evaluate\` gives the same advice if a server would refuse the definition, or if you pass no objects.
A piece of advice is a note. Notes never change the exit status. Each note shows its place in the file, and in brackets the kind of the advice. In the output of \`-o json\` and \`POST /explain\`, the field \`advice\` contains the notes.

\`--no-advice\` switches all advice off. \`--no-advice=ID,…\` switches off the kinds that you name. You can also switch kinds off in the file \`.assay.yaml\`:

\`\`\`yaml
advice:
  off: [unique-list]
oldest: '1.30'
\`\`\`

| Kind of advice | Good practice that the definition does not follow |
|---|---|
${ADVICE_KINDS.map(({ id, title }) => `| [\`${id}\`](#${id}) | ${title} |`).join('\n')}

Most advice is right. ${CHECKED.definitions} public definitions get ${CHECKED.pieces} different notes, if 1.30 is the oldest supported version of Kubernetes. Of ${CHECKED.read} notes that were picked at random and checked by hand, ${CHECKED.right}
(${((100 * CHECKED.right) / CHECKED.read).toFixed(1)} %) are right. The wrong notes say that a field may be missing. In a cluster, a mutating webhook of the project fills in this field, but a schema does not show that.
Of the kinds about patterns and words, only \`unanchored-pattern\` gives these definitions notes: ${PATTERN_NOTES} more, which were all checked and are all right.

${ADVICE_KINDS.map(section).join('\n\n')}
`;
}

function section({ id, title, doc, example: { before, after, oldest } }: AdviceKind): string {
  return `## ${id}

${title}.

${doc.replaceAll('\n', ' ')}

A part of a definition that gets this advice${oldest === undefined ? '' : ` (with \`--oldest ${oldest}\`)`}:

\`\`\`yaml
${before.trim()}
\`\`\`

The same definition after following the advice:

\`\`\`yaml
${after.trim()}
\`\`\``;
}
