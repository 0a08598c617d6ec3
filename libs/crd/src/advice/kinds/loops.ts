import { OPERATOR } from '#cel';
import type { WrittenNode, CostedPart } from '#cel';
import { grouped } from '#numbers';
import { fieldsText } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { boundBy, placedNodes, valuePlaceOf, isLoop, chainOf, writtenShapeOf, startOf, allNodes, freeVariables } from '../written-nodes.ts';
import type { PlacedNode, ValuePlace } from '../written-nodes.ts';

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Advice on rules that check uniqueness by comparing every element with every other element. */
export const uniqueList: AdviceKind = {
  id: 'unique-list',
  title: 'The list type of a list refuses duplicates, instead of a rule with two nested loops',
  doc: `If a rule compares each element of a list with every other element, its cost grows with the square of the length. This cost often exceeds the limit. The list type
refuses duplicates at no cost: use \`x-kubernetes-list-type: set\` for scalars, and \`map\` with \`x-kubernetes-list-map-keys\` for objects. The keys must be required, or have a default. The
list type also changes server-side apply, which then merges the list element by element, and not as a whole. For type \`map\`, the server also finds the old value of each element for
transition rules and ratcheting. If the list must stay atomic, disable this advice.`,
  example: {
    before: `
properties:
  ports:
    type: array
    maxItems: 50
    items:
      type: object
      required: [name]
      properties: {name: {type: string, maxLength: 15}, port: {type: integer}}
x-kubernetes-validations:
- rule: self.ports.all(a, self.ports.exists_one(b, b.name == a.name))
required: [ports]`,
    after: `
properties:
  ports:
    type: array
    maxItems: 50
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties: {name: {type: string, maxLength: 15}, port: {type: integer}}
required: [ports]`,
  },
  ofRule: (rule) => placedNodes(rule.tree, rule.schema).flatMap((placed) => ofComparison(placed, rule) ?? []),
};

function ofComparison({ node, scope }: PlacedNode, { schema, cost, steps }: AdvisedRule): FoundAdvice | undefined {
  const [variable] = node.variables;
  const [body] = node.args;
  if (node.call !== 'all' || node.variables.length !== 1 || variable === undefined || node.target === undefined || body === undefined)
    return undefined;
  const list = valuePlaceOf(node.target, scope, schema);
  const inner = body && countedOnce(body);
  const [other] = inner?.variables ?? [];
  const [condition] = inner?.args ?? [];
  if (list?.schema.type !== 'array' || inner?.target === undefined || other === undefined || condition === undefined) return undefined;
  const again = valuePlaceOf(inner.target, boundBy(node, scope, schema), schema);
  if (again === undefined || again.variable !== list.variable || fieldsText(again.steps) !== fieldsText(list.steps)) return undefined;
  const keys = comparedKeys(condition, variable, other);
  const advised = keys && listTypeFor(list, keys);
  if (advised === undefined) return undefined;
  const at = fieldsText([...steps, ...list.steps]);
  const price = cost.totalCost > 0n ? ` The rule may cost ${grouped(cost.totalCost)} units for it.` : '';
  return { text: `${advised.replace('LIST', at)}${price}`, offset: startOf(node) };
}

/**
 * Returns the macro call that counts matching elements in `L.exists_one(b, …)` and `L.filter(b, …).size() == 1` (also `<= 1` and `< 2`).
 * Returns undefined for other expressions.
 */
function countedOnce(node: WrittenNode): WrittenNode | undefined {
  if ((node.call === 'exists_one' || node.call === 'existsOne') && node.variables.length === 1) return node;
  const [left, right] = node.args;
  if (left === undefined || right === undefined) return undefined;
  const limit = (text: string): boolean => writtenShapeOf(right) === `int:"${text}"`;
  const isOne =
    (node.call === OPERATOR.equals && limit('1')) ||
    (node.call === OPERATOR.lessEquals && limit('1')) ||
    (node.call === OPERATOR.less && limit('2'));
  const counted = left.call === 'size' ? (left.target ?? left.args[0]) : undefined;
  return isOne && counted?.call === 'filter' ? counted : undefined;
}

/**
 * Returns the fields that a condition compares between two elements. The list is empty if the elements themselves are compared. Returns
 * undefined if the condition contains anything else.
 */
function comparedKeys(condition: WrittenNode, one: string, other: string): readonly string[] | undefined {
  const keys: string[] = [];
  for (const member of chainOf(condition, OPERATOR.and)) {
    const [left, right] = member.args;
    if (member.call !== OPERATOR.equals || left === undefined || right === undefined) return undefined;
    const sides = [left, right].map((side) => keyOf(side));
    const [a, b] = sides;
    if (a === undefined || b === undefined || a.field !== b.field) return undefined;
    if (![one, other].every((name) => sides.some((side) => side?.variable === name))) return undefined;
    if (a.field !== undefined) keys.push(a.field);
    else if (condition !== member) return undefined;
  }
  return keys;
}

/** Returns the variable and the field of `a` or `a.field`, or undefined for other expressions. */
function keyOf({ expr, target }: WrittenNode): { readonly variable: string; readonly field: string | undefined } | undefined {
  if (expr.kind === 'ident') return { variable: expr.name, field: undefined };
  if (expr.kind !== 'select' || expr.testOnly || target?.expr.kind !== 'ident') return undefined;
  return { variable: target.expr.name, field: expr.field };
}

/** Returns the text that advises a list type which rejects elements with equal `keys`; undefined if no list type can do this. */
function listTypeFor({ schema }: ValuePlace, keys: readonly string[]): string | undefined {
  const element = schema.items?.schema;
  if (element === undefined || element.nullable) return undefined;
  if (keys.length === 0) {
    if (!SCALARS.has(element.type)) return undefined;
    return schema.listType === 'set'
      ? 'LIST is a set already: no two elements are the same, and the rule can go.'
      : 'x-kubernetes-list-type: set on LIST refuses doubles without comparing each element with each other in a rule.';
  }
  if (!keys.every((key) => SCALARS.has(element.properties?.get(key)?.type ?? ''))) return undefined;
  if (schema.listType === 'map') {
    const isKeyed = schema.listMapKeys.every((key) => keys.includes(key));
    return isKeyed
      ? `LIST is a map by ${schema.listMapKeys.join(', ')} already: no two elements have the same, and the rule can go.`
      : undefined;
  }
  return `x-kubernetes-list-type: map on LIST, with x-kubernetes-list-map-keys: [${keys.join(', ')}], refuses doubles without comparing each element with each other in a rule.${lacking(element, keys)}`;
}

function lacking(element: SchemaProps, keys: readonly string[]): string {
  const optional = keys.filter((key) => !element.required.includes(key) && element.properties?.get(key)?.default === undefined);
  if (optional.length === 0) return '';
  return ` A key must be required or have a default: ${optional.join(', ')} has neither${optional.length > 1 ? ' (each of them)' : ''}.`;
}

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
  doc: `CEL does not store results of expressions. So the server evaluates the body of \`all\`, \`exists\`, \`filter\` or \`map\` again for each element, and charges the cost each time. This
is also true for a part of the body that does not read the element. To compute such a part once, put it into a list with one element, before the loop: \`[self.names.map(n,
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
  return repeated.filter(({ node }) => !inside.has(node)).flatMap((one) => ofRepetition(one, rule) ?? []);
}

/** Returns true if a macro or function call inside a loop uses variables, but no variable of the innermost loop. */
function isRepeated({ node, loops }: PlacedNode): boolean {
  const loop = loops.at(-1);
  // Only loops and function calls are worth a variable. Operators and constructors cost too little.
  if (loop === undefined || !(isLoop(node) || isFunction(node))) return false;
  const free = freeVariables(node);
  return free.size > 0 && !loop.variables.some((name) => free.has(name));
}

const isFunction = ({ call = '', variables }: WrittenNode): boolean => variables.length === 0 && /^[a-zA-Z]/.test(call);

function ofRepetition({ node, loops }: PlacedNode, { parts, cost }: AdvisedRule): FoundAdvice | undefined {
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

function partAt(part: CostedPart, offset: number): CostedPart | undefined {
  if (part.offset === offset) return part;
  for (const inner of part.parts) {
    const found = partAt(inner, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}
