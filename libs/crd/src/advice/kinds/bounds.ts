import { EXPRESSION_COST_LIMIT } from '#kube';
import { grouped } from '#numbers';
import type { SchemaBound } from '../../explain/bounds.ts';
import { fieldsText } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { withoutRepeats } from '../advice.ts';
import type { AdviceKind, AdvisedSchema, FoundAdvice, AdvisedRule } from '../advice.ts';
import { placedNodes, valuePlaceOf, startOf } from '../written-nodes.ts';
import type { PlacedNode } from '../written-nodes.ts';

/**
 * Bounds that are assumed for values without a bound when the costs are estimated again, if no bound is suggested for the version. They are
 * common in Kubernetes' own types.
 */
const TRIED = { maxItems: 64n, maxProperties: 64n, maxLength: 253n } as const;
/** Minimum cost of a rule for this advice, in per cent of the cost limit. Rules with a lower cost need no bound yet. */
const MIN_PERCENT = 10n;

/**
 * Advice that names the missing bound that would reduce the costs most. It is given only if this bound at least halves the costs of the
 * rules that it affects.
 */
export const missingBound: AdviceKind = {
  id: 'missing-bound',
  title: 'Each list, map or text that makes rules expensive has a maxItems, maxProperties or maxLength',
  doc: `If a list, map or text has no limit in the schema, the server assumes the largest possible size in a request of 3 MiB. Assay gives this advice if the estimate of some rule is at
least a tenth of its limit. The advice names the one missing limit that reduces the estimates most. It shows the estimate of the rules without this limit, and with the limit that
\`assay explain\` suggests. If the definition needs no limit, it shows a common one (64 elements, or 253 characters). \`assay explain\` lists all limits that matter for each rule. \`--fix\` writes the limits that the server requires.`,
  example: {
    before: `
properties:
  hosts: {type: array, items: {type: string, maxLength: 253}}
x-kubernetes-validations:
- rule: self.hosts.all(h, h.endsWith('.example.com') && !h.startsWith('-'))
required: [hosts]`,
    after: `
properties:
  hosts: {type: array, maxItems: 64, items: {type: string, maxLength: 253}}
x-kubernetes-validations:
- rule: self.hosts.all(h, h.endsWith('.example.com') && !h.startsWith('-'))
required: [hosts]`,
  },
  ofSchema: (schema) => costliest(schema),
};

interface Effect {
  readonly bound: SchemaBound;
  readonly path: string;
  saved: bigint;
  before: bigint;
  after: bigint;
  rules: number;
}

function costliest({ prices, suggested }: AdvisedSchema): FoundAdvice[] {
  const values = new Map(suggested.map(({ bound, value }) => [bound.fields, value]));
  const dear = prices.filter(({ cost }) => 100n * cost >= MIN_PERCENT * EXPRESSION_COST_LIMIT);
  const effects = new Map<string, Effect>();
  for (const { bounds, cost, costWith, path } of dear.toSorted((a, b) => Number(b.cost - a.cost)))
    for (const bound of bounds) {
      const value = triedValue(bound, values);
      if (bound.value !== undefined || value === undefined) continue;
      const after = costWith([{ bound, value }]);
      if (after >= cost) continue;
      const key = `${bound.fields} ${bound.keyword}`;
      const effect = effects.get(key) ?? { bound, path, saved: 0n, before: 0n, after: 0n, rules: 0 };
      effects.set(key, effect);
      effect.saved += cost - after;
      effect.before += cost;
      effect.after += after;
      effect.rules++;
    }
  const [most] = [...effects.values()].toSorted((a, b) => (b.saved > a.saved ? 1 : b.saved < a.saved ? -1 : 0));
  // A bound that saves less than half of the cost is not worth advice.
  if (most === undefined || most.after * 2n > most.before) return [];
  const { bound, path, before, after, rules } = most;
  const value = triedValue(bound, values);
  return [
    {
      path,
      bound: `${bound.fields} ${bound.keyword}`,
      text: `${bound.fields} has no ${bound.keyword}, and of all missing bounds this one costs most: ${rules === 1 ? 'a rule' : `${rules} rules`} may cost ${grouped(before)} units for it, and ${grouped(after)} with ${bound.keyword}: ${value}.`,
    },
  ];
}

/**
 * Returns the value that is assumed for a missing bound: the suggested one, or a common one if nothing is suggested for the version. Returns
 * undefined if other bounds are suggested.
 */
function triedValue({ fields, keyword, least }: SchemaBound, suggested: ReadonlyMap<string, bigint>): bigint | undefined {
  if (suggested.size > 0) return suggested.get(fields);
  return least > TRIED[keyword] ? least : TRIED[keyword];
}

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
