import { SeededSet } from '#go';
import { isListMembership, membershipTest } from '../interpret/folding.ts';
import { isUnhashable } from '../../values/go-type.ts';
import { isList } from '../../values/type-of.ts';
import { boxed } from './boxing.ts';
import { emitCall } from './calls.ts';
import { foldedValue } from './folded-value.ts';
import { joined, js } from '../../library/code/javascript.ts';
import { BOOL_SHAPE } from '../../library/code/shape.ts';
import { sameText } from '../../library/code/text-units.ts';
import type { CelValue } from '../../values/value.ts';
import type { CallExpr, Expr } from '../../language/syntax/ast.ts';
import type { Generator } from './generator.ts';
import type { Operand } from '../../library/code/shape.ts';

/**
 * Maximum number of constants that are compared one by one with a text in a column (parts of one common text). If there are more constants,
 * the code copies the text and uses a hash look-up.
 */
const MAX_IN_PLACE = 8;

/**
 * Emits code for the CEL expression `x in list`. If the list is a literal of constants, the code tests membership directly, at no cost
 * units. For any other list, the code calls the function of the operator `in`.
 */
export function emitMembership(g: Generator, node: CallExpr): Operand {
  const [element, container] = node.args as readonly [Expr, Expr];
  if (!isListMembership(g.checked.references.get(node.id)?.overloads ?? [])) return emitCall(g, node);
  const list = foldedValue(g, container);
  if (list === undefined || !isList(list)) return emitCall(g, node);
  const kind = g.typeOf(element).kind;
  const members = Array.from({ length: list.size }, (_, i) => list.at(i));
  if (members.length === 0) return { code: js`false`, shape: BOOL_SHAPE };
  const isMember = membershipTest(list);
  if (isMember === undefined) return emitCall(g, node);
  const value = g.emit(element);
  if ((kind !== 'string' && kind !== 'int') || !members.every((member) => isMemberOf(member, kind))) {
    const tested = g.hold('value', boxed(g, value));
    // For an unhashable value, the interpreter reports the panic.
    g.writer.bail(js`${g.constants.name(isUnhashable)}(${tested})`);
    return { code: g.hold('test', js`${g.constants.name(isMember)}(${tested})`), shape: BOOL_SHAPE };
  }
  const inPlace = value.window === undefined || members.length > MAX_IN_PLACE ? [] : members.filter((member) => typeof member === 'string');
  if (inPlace.length > 0) {
    const tests = inPlace.map((member) => js`(${sameText(value, member, g.constants.name(member))})`);
    return { code: js`(${joined(tests, ' || ')})`, shape: BOOL_SHAPE };
  }
  if (members.length === 1) return { code: js`(${value.code} === ${g.constants.name(members[0])})`, shape: BOOL_SHAPE };
  return {
    code: js`${g.constants.name(kind === 'string' ? new Set(members) : new SeededSet(members))}.has(${value.code})`,
    shape: BOOL_SHAPE,
  };
}

/** Returns true if the constant `member` of a list is a text (for `kind` `string`) or an int (for `kind` `int`). */
function isMemberOf(member: CelValue, kind: 'string' | 'int'): boolean {
  return kind === 'string' ? typeof member === 'string' : typeof member === 'number' && Number.isInteger(member);
}
