import { grouped } from '#numbers';
import { fieldsText } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { placedNodes, valuePlaceOf } from '../value-places.ts';
import type { PlacedNode } from '../value-places.ts';
import { withoutRepeats } from '../without-repeats.ts';
import { startOf } from '../written-shape.ts';

const SEARCHES: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);
/** Formats whose maximum length the server knows without `maxLength`. */
const SIZED_FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'duration']);

/** Advice on patterns that are searched in a string of unbounded length. */
export const unboundedMatch: AdviceKind = {
  id: 'unbounded-match',
  title: 'A text that a rule searches with a pattern has a maxLength',
  doc: `The cost of \`matches\`, \`find\` and \`findAll\` grows with the length of the text times the length of the pattern. If the text has no \`maxLength\`, the server assumes the longest
text that fits into a request, which has three million characters. A \`maxLength\` makes the estimate small, and leaves more of the cost limit for other rules. If a rule only matches one
pattern, the keyword \`pattern\` of the schema does the same at no cost.`,
  example: {
    before: `
properties:
  name: {type: string}
x-kubernetes-validations:
- rule: self.name.matches('^[a-z]+$')
required: [name]`,
    after: `
properties:
  name: {type: string, maxLength: 63}
x-kubernetes-validations:
- rule: self.name.matches('^[a-z]+$')
required: [name]`,
  },
  ofRule: (rule) => {
    const found = placedNodes(rule.tree, rule.schema).flatMap((placed) => ofSearch(placed, rule) ?? []);
    return withoutRepeats(found);
  },
};

function ofSearch({ node, scope }: PlacedNode, { schema, steps, tree, cost }: AdvisedRule): FoundAdvice | undefined {
  if (!SEARCHES.has(node.call ?? '')) return undefined;
  const searched = node.target ?? node.args[0];
  const place = searched && valuePlaceOf(searched, scope, schema);
  if (place === undefined || !isUnbounded(place.schema)) return undefined;
  const pattern = (node.target === undefined ? node.args[1] : node.args[0])?.expr.kind === 'constant' && node.call === 'matches';
  const keyword = node === tree && pattern ? ' This rule does nothing else: the keyword pattern says the same and costs nothing.' : '';
  const field = fieldsText([...steps, ...place.steps]);
  return {
    bound: `${field} maxLength`,
    text: `${node.call ?? ''} goes through ${field}, which has no maxLength. The server assumes the longest string that fits into a request. So the rule may cost ${grouped(cost.totalCost)} units.${keyword}`,
    offset: startOf(node),
  };
}

const isUnbounded = ({ type, maxLength, enum: words, format, intOrString }: SchemaProps): boolean =>
  type === 'string' && !intOrString && maxLength === undefined && (words?.length ?? 0) === 0 && !SIZED_FORMATS.has(format);
