import type { WrittenNode } from '#cel';

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
