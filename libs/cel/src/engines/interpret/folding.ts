import type { Implementation } from './dispatch.ts';
import { Float, intValue } from '#go';
import type { Overload } from '../../library/define.ts';
import { IN_LIST } from '../../library/standard/collections.ts';
import { doubleToInt, doubleToUint } from '../../values/convert.ts';
import { MAX_INT } from '../../values/integer.ts';
import { hashKey } from '../../values/map.ts';
import { doubleOf, isInt, isList } from '../../values/type-of.ts';
import type { Semantics } from '../../values/semantics.ts';
import { CelError, Uint } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import type { ListNode, MapNode } from './constructor-nodes.ts';
import { ConstantNode, Frame } from './node.ts';
import type { Node } from './node.ts';
import { SetMembershipNode } from './operator-nodes.ts';

/**
 * Returns an evaluation state (frame) for the planner, which evaluates constant parts of an expression before the first evaluation. Source:
 * cel-go interpreter/decorators.go `decOptimize` (v0.29.2).
 */
export function planningFrame(semantics: Semantics): Frame {
  return new Frame(semantics, { self: null }, 0, { costLimit: Infinity, token: undefined });
}

/**
 * Folds the conversion of a constant. Returns the converted value as a node. If the conversion fails, returns the error, which is an error
 * of planning. Returns undefined if the argument is not a constant.
 */
export function foldConversion(id: number, { call }: Implementation, args: readonly Node[], frame: Frame): Node | CelError | undefined {
  const [arg] = args;
  if (args.length !== 1 || !(arg instanceof ConstantNode)) return undefined;
  const value = arg.value instanceof CelError ? arg.value : call([arg.value], frame);
  return value instanceof CelError ? value : new ConstantNode(id, value);
}

/** Folds a list literal of constants into one constant. Returns any other list unchanged. */
export function foldList(node: ListNode, frame: Frame): Node {
  return node.elements.every((element) => element.node instanceof ConstantNode) ? new ConstantNode(node.id, node.build(frame)) : node;
}

/** Folds a map literal of constants into one constant. Returns any other map unchanged. */
export function foldMap(node: MapNode, frame: Frame): Node {
  const isConstant = node.entries.every(({ key, value }) => key instanceof ConstantNode && value instanceof ConstantNode);
  return isConstant ? new ConstantNode(node.id, node.build(frame)) : node;
}

/**
 * Returns true if the checker has determined that `in` tests membership in a list. If the result is false, `in` is planned as an ordinary
 * call.
 */
export function isListMembership(candidates: readonly Overload[]): boolean {
  return candidates.length === 1 && candidates[0] === IN_LIST;
}

/**
 * Returns the plan node for `x in list`. If `list` is a constant list of scalars, the node looks up x in a set. If it is an empty constant
 * list, the node is the constant false. Returns undefined for any other `list`.
 */
export function foldMembership(id: number, value: Node, list: Node): Node | undefined {
  if (!(list instanceof ConstantNode) || !isList(list.value)) return undefined;
  if (list.value.size === 0) return new ConstantNode(id, false);
  const isMember = membershipTest(list.value);
  return isMember && new SetMembershipNode(id, value, isMember);
}

/** Returns a function that is true if a value equals an element of a constant list. Returns undefined if any element is not a scalar. */
export function membershipTest(list: CelList): ((candidate: CelValue) => boolean) | undefined {
  const members = new Set<unknown>();
  for (let i = 0; i < list.size; i++) {
    const element = list.at(i);
    if (!isPrimitive(element)) return undefined;
    if (Number.isNaN(element)) continue;
    members.add(hashKey(element));
    for (const twin of numericTwins(element)) members.add(hashKey(twin));
  }
  return (candidate) => members.has(hashKey(candidate));
}

function isPrimitive(value: CelValue): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isInt(value) || doubleOf(value) !== undefined || value instanceof Uint;
}

/**
 * Returns the values of other number types that are equal to the given number. Ints and uints are converted to doubles even if precision is
 * lost.
 */
function numericTwins(value: CelValue): CelValue[] {
  const double = doubleOf(value);
  if (double !== undefined) {
    const twins: CelValue[] = [];
    const int = Number.isInteger(double) ? doubleToInt(double) : undefined;
    if (int !== undefined) twins.push(int);
    const uint = Number.isInteger(double) ? doubleToUint(double) : undefined;
    if (uint !== undefined) twins.push(uint);
    return twins;
  }
  if (isInt(value)) return value < 0 ? [new Float(Number(value))] : [new Float(Number(value)), new Uint(BigInt(value))];
  if (!(value instanceof Uint)) return [];
  const asDouble = new Float(Number(value.value));
  return value.value > MAX_INT ? [asDouble] : [asDouble, intValue(value.value)];
}
