import type { PricedPart, WrittenNode } from '#cel';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { isLoop, placedNodes } from '../value-places.ts';
import type { PlacedNode } from '../value-places.ts';
import { allNodes, freeVariables, startOf } from '../written-shape.ts';

/** Minimum cost of a repeated part, in per cent of the rule's estimated cost. Cheaper repetitions are not reported. */
const MIN_PERCENT = 25n;
/**
 * Minimum estimated cost of a rule for this advice, in cost units: a hundredth of the limit. A rule with a lower cost is cheap even if it
 * computes a value repeatedly.
 */
const MIN_COST = 100_000n;

/** Advice to compute a value before a loop if the value is the same for all elements. */
export const repeatedInLoop: AdviceKind = {
  id: 'repeated-in-loop',
  title: 'If a value is the same for all elements, a rule computes the value once, before the loop',
  doc: `CEL does not store results of expressions. So the server evaluates the body of \`all\`, \`exists\`, \`filter\` or \`map\` again for each element, and charges the cost each time. It
does so also for a part of the body that does not read the element. To compute such a part once, put it into a list with one element, before the loop: \`[self.names.map(n,
n.lowerAscii())].all(known, self.items.all(i, i.name in known))\`. Assay gives this advice if the part causes at least a quarter of the cost of a rule that may cost 100,000 units or more. It
never gives this advice for a path of fields such as \`self.spec.names\`.`,
  example: {
    before: `
properties:
  items: {type: array, maxItems: 500, items: {type: string, maxLength: 60}}
  names: {type: array, maxItems: 500, items: {type: string, maxLength: 60}}
x-kubernetes-validations:
- rule: self.items.all(i, i in self.names.map(n, n + '.local'))
required: [items, names]`,
    after: `
properties:
  items: {type: array, maxItems: 500, items: {type: string, maxLength: 60}}
  names: {type: array, maxItems: 500, items: {type: string, maxLength: 60}}
x-kubernetes-validations:
- rule: "[self.names.map(n, n + '.local')].all(known, self.items.all(i, i in known))"
required: [items, names]`,
  },
  needsParts: true,
  ofRule: (rule) => (rule.cost.totalCost < MIN_COST ? [] : outermost(rule)),
};

/** Returns the advice on the outermost repeated parts of a rule. Repeated parts inside other repeated parts are left out. */
function outermost(rule: AdvisedRule): FoundAdvice[] {
  const placed = placedNodes(rule.tree, rule.schema);
  const repeated = placed.filter((one) => isRepeated(one));
  const inside = new Set<WrittenNode>(repeated.flatMap(({ node }) => allNodes(node).slice(1)));
  return repeated.filter(({ node }) => !inside.has(node)).flatMap((one) => found(one, rule) ?? []);
}

/** Returns true if a macro or function call inside a loop uses variables, but no variable of the innermost loop. */
function isRepeated({ node, loops }: PlacedNode): boolean {
  const loop = loops.at(-1);
  // Only loops and function calls cost enough to justify a variable. Operators and constructors do not.
  if (loop === undefined || !(isLoop(node) || isFunction(node))) return false;
  const free = freeVariables(node);
  return free.size > 0 && !loop.variables.some((name) => free.has(name));
}

const isFunction = ({ call = '', variables }: WrittenNode): boolean => variables.length === 0 && /^[a-zA-Z]/.test(call);

function found({ node, loops }: PlacedNode, { parts, cost }: AdvisedRule): FoundAdvice | undefined {
  const price = parts && partAt(parts, node.offset);
  const loop = loops.at(-1);
  if (price === undefined || loop === undefined || price.estimate.evaluations <= 1n) return undefined;
  const share = cost.maxCost === 0n ? 0n : (100n * price.estimate.total.max) / cost.maxCost;
  if (share < MIN_PERCENT) return undefined;
  const name = loop.variables.join(' and ');
  return {
    text: `${price.text} does not use ${name}, but is computed in each step of the loop: ${share > 100n ? 100n : share} % of what the rule may cost. A list of one binds it before the loop: [${price.text}].all(v, …), with v in its place.`,
    offset: startOf(node),
  };
}

function partAt(part: PricedPart, offset: number): PricedPart | undefined {
  if (part.offset === offset) return part;
  for (const inner of part.parts) {
    const found = partAt(inner, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
