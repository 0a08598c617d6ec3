import { OPERATOR } from '#cel';
import type { WrittenNode } from '#cel';
import { grouped } from '#numbers';
import { fieldsText } from '../../schema/schema-path.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import type { AdviceKind, AdvisedRule, FoundAdvice } from '../advice.ts';
import { boundBy, placedNodes, valuePlaceOf } from '../value-places.ts';
import type { PlacedNode, ValuePlace } from '../value-places.ts';
import { chainOf, writtenShapeOf, startOf } from '../written-shape.ts';

const SCALARS: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

/** Advice on rules that check uniqueness by comparing every element with every other element. */
export const uniqueList: AdviceKind = {
  id: 'unique-list',
  title: 'The list type of a list refuses duplicates, instead of a rule with two nested loops',
  doc: `If a rule compares each element of a list with every other element, its cost grows with the square of the length. This cost often exceeds the limit. The list type
refuses duplicates at no cost: use \`x-kubernetes-list-type: set\` for scalars, and \`map\` with \`x-kubernetes-list-map-keys\` for objects. The keys must be required, or have a default. The
list type also changes server-side apply, which then merges the list element by element, and not as a whole. For type \`map\`, the server also finds the old value of each element for
transition rules and ratcheting. If the list must stay atomic, switch this advice off.`,
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
  ofRule: (rule) => placedNodes(rule.tree, rule.schema).flatMap((placed) => found(placed, rule) ?? []),
};

function found({ node, scope }: PlacedNode, { schema, cost, steps }: AdvisedRule): FoundAdvice | undefined {
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
