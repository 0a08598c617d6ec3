import type { AdviceKind } from '../advice.ts';
import { ofEachPattern } from '../each-pattern.ts';
import { openEnds } from '../open-ends.ts';

/** Advice on patterns that begin or end with a repetition but have no anchor there. */
export const unanchoredPattern: AdviceKind = {
  id: 'unanchored-pattern',
  title: 'A pattern that begins or ends with a repetition has an anchor there',
  doc: `A pattern may match any part of a text. So \`[a-z]{1,63}\` accepts every text with at least one small letter, of any length: without anchors, the repetition changes nothing. Write
\`^[a-z]{1,63}$\` for the whole text. In \`^a|b+$\`, each anchor belongs to one alternative only: write \`^(?:a|b+)$\`. Assay gives this advice only if a repetition at the beginning or the end of a pattern has no effect because the anchor is missing. It does not give
this advice for a pattern such as \`^https://\`, or if the repetition accepts all characters, such as \`.*\`.`,
  example: {
    before: `
properties:
  name: {type: string, maxLength: 63, pattern: '[a-z]+'}`,
    after: `
properties:
  name: {type: string, maxLength: 63, pattern: '^[a-z]+$'}`,
  },
  ...ofEachPattern(({ pattern }) => {
    const { beginning, end } = openEnds(pattern);
    if (!beginning && !end) return undefined;
    const [where, anchors] =
      beginning && end ? ['the beginning and the end', '^ and $'] : beginning ? ['the beginning', '^'] : ['the end', '$'];
    // An anchor before alternatives applies only to the first alternative.
    const remedy = pattern.includes('|') ? 'put the whole pattern between ^(?: and )$' : `write it with ${anchors}`;
    return `This pattern may match a part of the text, so the repetition at ${where} changes nothing. For the whole text, ${remedy}.`;
  }),
};
