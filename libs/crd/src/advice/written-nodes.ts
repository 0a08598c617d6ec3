import { OPERATOR, escapeFieldName } from '#cel';
import type { WrittenNode } from '#cel';
import { childAt } from '../schema/schema-path.ts';
import type { SchemaPath, SchemaStep } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { META_FIELDS } from '../structural/structural.ts';

/** Value that an expression reads: the variable, the path, and the schema node of the value. */
export interface ValuePlace {
  readonly variable: 'self' | 'oldSelf';
  /** Path from the rule's node to the value. */
  readonly steps: SchemaPath;
  readonly schema: SchemaProps;
}

/**
 * Map from each variable that is in scope at a node to the schema node of its value. The macro calls around the node bind these variables.
 * The value is undefined for a variable without a schema node, such as an index or a key.
 */
export type VariablePlaces = ReadonlyMap<string, ValuePlace | undefined>;

/**
 * Node of a rule's CEL syntax tree, with the variables in scope and the macro calls that enclose the node. The innermost macro call is
 * last.
 */
export interface PlacedNode {
  readonly node: WrittenNode;
  readonly scope: VariablePlaces;
  readonly loops: readonly WrittenNode[];
}

/**
 * Returns true for macros that iterate over the elements of a list or map. `optMap` and `optFlatMap` are excluded, because they only bind a
 * value.
 */
export const isLoop = ({ call = '', variables }: WrittenNode): boolean => variables.length > 0 && !call.startsWith('opt');

/**
 * Returns all nodes of a rule's expression tree, each with the variables in scope. Each node comes before the nodes inside it. `schema` is
 * the schema node that contains the rule.
 */
export function placedNodes(tree: WrittenNode, schema: SchemaProps): PlacedNode[] {
  const found: PlacedNode[] = [];
  const visit = (node: WrittenNode, scope: VariablePlaces, loops: readonly WrittenNode[]): void => {
    found.push({ node, scope, loops });
    if (node.target !== undefined) visit(node.target, scope, loops);
    const bound = node.variables.length > 0;
    const inner = bound ? boundBy(node, scope, schema) : scope;
    for (const arg of node.args) visit(arg, inner, isLoop(node) ? [...loops, node] : loops);
  };
  visit(tree, new Map(), []);
  return found;
}

/**
 * Returns the scope for the arguments of a macro call: the given scope, and the variables that the macro binds. If a variable is an element
 * of the macro's list or map, its entry refers to the element's schema node.
 */
export function boundBy({ call, variables, target }: WrittenNode, scope: VariablePlaces, schema: SchemaProps): VariablePlaces {
  const range = target && valuePlaceOf(target, scope, schema);
  const element = range && below(range, range.schema.type === 'array' ? { kind: 'items' } : { kind: 'additionalProperties' });
  const inner = new Map(scope);
  const [first, second] = variables;
  // In a macro over a map, a single variable is the key. Two variables are the index or the key, and the value.
  if (second !== undefined) inner.set(first ?? '', undefined).set(second, element);
  else if (first !== undefined) inner.set(first, call?.startsWith('opt') ? range : range?.schema.type === 'array' ? element : undefined);
  return inner;
}

/**
 * Returns the schema node that an expression reads. Returns undefined if the expression is not a path of fields, indexes, filters and
 * variables.
 */
export function valuePlaceOf(node: WrittenNode, scope: VariablePlaces, schema: SchemaProps): ValuePlace | undefined {
  const { expr, call, target, args } = node;
  if (expr.kind === 'ident') {
    if (scope.has(expr.name)) return scope.get(expr.name);
    return expr.name === 'self' || expr.name === 'oldSelf' ? { variable: expr.name, steps: [], schema } : undefined;
  }
  if (expr.kind === 'select' && target !== undefined) return fieldOf(valuePlaceOf(target, scope, schema), expr.field);
  // A filtered list has elements of the original list, so their schema is the same.
  if (call === 'filter' && target !== undefined) return valuePlaceOf(target, scope, schema);
  const [of, by] = args;
  if (of === undefined || by === undefined) return undefined;
  if (call === OPERATOR.optionalSelect && by.expr.kind === 'constant' && by.expr.constant.type === 'string')
    return fieldOf(valuePlaceOf(of, scope, schema), by.expr.constant.value);
  if (call !== OPERATOR.index && call !== OPERATOR.optionalIndex) return undefined;
  const range = valuePlaceOf(of, scope, schema);
  return range && below(range, range.schema.type === 'array' ? { kind: 'items' } : { kind: 'additionalProperties' });
}

function fieldOf(place: ValuePlace | undefined, field: string): ValuePlace | undefined {
  if (place === undefined) return undefined;
  const { properties, additionalProperties } = place.schema;
  const name = [...(properties?.keys() ?? [])].find((key) => escapeFieldName(key) === field);
  if (name !== undefined) return below(place, { kind: 'property', name });
  return additionalProperties?.schema === undefined ? undefined : below(place, { kind: 'additionalProperties' });
}

function below({ variable, steps, schema }: ValuePlace, step: SchemaStep): ValuePlace | undefined {
  const child = childAt(schema, step);
  return child && { variable, steps: [...steps, step], schema: child };
}

/**
 * Returns true if a path leads into the fields of every resource (apiVersion, kind, metadata). The schema of the definition does not
 * describe these fields.
 */
export function leadsIntoMetaFields(root: SchemaProps, path: SchemaPath): boolean {
  let node: SchemaProps | undefined = root;
  for (const [i, step] of path.entries()) {
    if ((i === 0 || node?.embeddedResource === true) && step.kind === 'property' && META_FIELDS.has(step.name)) return true;
    node = node && childAt(node, step);
  }
  return false;
}

/**
 * Returns a text for the structure of a node: its calls, names and constants, regardless of offsets. Equal texts mean equal expressions.
 * `names` maps a variable to its name in the text.
 */
export function writtenShapeOf(node: WrittenNode, names: ReadonlyMap<string, string> = new Map()): string {
  const { expr, call, variables, target, args } = node;
  const inside = args.map((arg) => writtenShapeOf(arg, names));
  if (call !== undefined) {
    const of = target === undefined ? '' : `${writtenShapeOf(target, names)}.`;
    return `${of}${call}<${variables.join(' ')}>(${inside.join(', ')})`;
  }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the kind and the parts identify all others
  switch (expr.kind) {
    case 'ident':
      return names.get(expr.name) ?? expr.name;
    case 'select':
      return `${target === undefined ? '' : writtenShapeOf(target, names)}${expr.testOnly ? '?' : '.'}${expr.field}`;
    case 'constant':
      return expr.constant.type === 'null' ? 'null' : `${expr.constant.type}:${JSON.stringify(String(expr.constant.value))}`;
    default:
      return `${expr.kind}[${inside.join(', ')}]`;
  }
}

/** Returns the variables that a node reads but does not bind itself. */
export function freeVariables({ expr, variables, target, args }: WrittenNode): ReadonlySet<string> {
  const free = new Set<string>(expr.kind === 'ident' ? [expr.name] : []);
  for (const arg of args) for (const name of freeVariables(arg)) if (!variables.includes(name)) free.add(name);
  if (target !== undefined) for (const name of freeVariables(target)) free.add(name);
  return free;
}

/**
 * Returns the operands of nested calls of one operator, such as `a`, `b` and `c` for `a && (b && c)`. Returns the node alone if it is no
 * such call.
 */
export function chainOf(node: WrittenNode, operator: string): readonly WrittenNode[] {
  return node.call === operator ? node.args.flatMap((arg) => chainOf(arg, operator)) : [node];
}

/**
 * Returns the start of a node's text, in code points from 0. A call needs special treatment, because the parser assigns it the offset of
 * its opening parenthesis.
 */
export function startOf({ offset, call = '', target, args }: WrittenNode): number {
  const own = target === undefined && /^[a-zA-Z]/.test(call) ? Math.max(0, offset - call.length) : offset;
  return Math.min(own, ...(target === undefined ? [] : [startOf(target)]), ...args.map(startOf));
}

/** Returns a node and all nodes inside it. */
export const allNodes = (node: WrittenNode): readonly WrittenNode[] => [
  node,
  ...(node.target === undefined ? [] : allNodes(node.target)),
  ...node.args.flatMap(allNodes),
];
