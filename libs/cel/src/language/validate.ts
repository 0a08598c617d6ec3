import { compileRegex } from '#go';
import { ContextCall } from '../library/define.ts';
import { readFormat } from '../library/extensions/format-clauses.ts';
import type { FormatClause } from '../library/extensions/format-clauses.ts';
import { isEquivalentType, runtimeTypeName } from '../values/types/type.ts';
import type { CelType, TypeNaming } from '../values/types/type.ts';
import { CelError, constantValue } from '../values/value.ts';
import type { Constant } from '../values/value.ts';
import type { CheckedExpression } from './check/checked.ts';
import type { Declarations } from './check/declarations.ts';
import { typeMismatch } from './check/errors.ts';
import { nodesBottomUp } from './syntax/ast.ts';
import type { CallExpr, Expr, ListExpr, MapExpr, Visited } from './syntax/ast.ts';
import type { Issues } from './syntax/issues.ts';

/**
 * Checks an expression for two kinds of errors besides wrong types: mixed types in literals, and constant arguments for which a call would
 * fail. At the same position, errors of mixed types are reported first. Source: k8s.io/apiserver/pkg/cel/environment/base.go (1.37).
 */
export function validateExpression(checked: CheckedExpression, declarations: Declarations, issues: Issues): void {
  const nodes = nodesBottomUp(checked.root);
  const checkOf = (name: string) => declarations.function(name)?.literalArgument;
  for (const { id, expected, type } of mixedLiterals(checked, nodes, (name) => checkOf(name) === 'format'))
    issues.report(checked.offsets.get(id), typeMismatch(expected, type, declarations.naming));
  const formats: (() => void)[] = [];
  for (const { node } of nodes) {
    const check = node.kind === 'call' ? checkOf(node.function) : undefined;
    if (node.kind !== 'call' || check === undefined) continue;
    if (check === 'format' && declarations.checksFormats)
      formats.push(() => validateFormatString(checked, node, declarations.naming, issues));
    if (check !== 'format') validateLiteralArgument(checked, node, check, issues);
  }
  for (const validate of formats) validate();
}

/**
 * Checks the first argument of a call at compile time if the argument is a constant. If `check` is `call`, the call must succeed for this
 * argument. If `check` is `pattern`, the argument must be a valid regular expression. Source: cel-go cel/validator.go `formatValidator`
 * (v0.29.2).
 */
function validateLiteralArgument(checked: CheckedExpression, call: CallExpr, check: 'call' | 'pattern', issues: Issues): void {
  const argument = call.args[0];
  if (argument?.kind !== 'constant') return;
  const sound = check === 'pattern' ? isPattern(argument.constant) : succeeds(checked, call, argument.constant);
  if (!sound) issues.report(checked.offsets.get(argument.id), `invalid ${call.function} argument`);
}

const isPattern = (constant: Constant): boolean => constant.type !== 'string' || compileRegex(constant.value).ok;

function succeeds(checked: CheckedExpression, call: CallExpr, constant: Constant): boolean {
  const overload = checked.references.get(call.id)?.overloads[0];
  if (overload === undefined || call.args.length !== 1 || overload.call instanceof ContextCall) return true;
  return !(overload.call(constantValue(constant)) instanceof CelError);
}

/**
 * Yields each entry of a list or map literal that has another type than the first entry of this literal. Such an entry is an error, except
 * in the arguments of functions for which `isExempt` is true. Source: cel-go cel/validator.go `homogeneousAggregateLiteralValidator`
 * (v0.29.2).
 */
function* mixedLiterals(
  checked: CheckedExpression,
  nodes: readonly Visited[],
  isExempt: (functionName: string) => boolean,
): Generator<Mismatch> {
  for (const visited of nodes) if (visited.node.kind === 'list' && !isInside(visited, isExempt)) yield* mixedList(checked, visited.node);
  for (const visited of nodes) if (visited.node.kind === 'map' && !isInside(visited, isExempt)) yield* mixedMap(checked, visited.node);
}

/** An entry of a literal whose type differs from the type of the literal's first entry. */
interface Mismatch {
  /** Node id of the entry, at which the error is reported. */
  readonly id: number;
  readonly expected: CelType;
  readonly type: CelType;
}

function isInside({ above }: Visited, isExempt: (functionName: string) => boolean): boolean {
  if (above === undefined) return false;
  return (above.node.kind === 'call' && isExempt(above.node.function)) || isInside(above, isExempt);
}

function* mixedList(checked: CheckedExpression, node: ListExpr): Generator<Mismatch> {
  let expected: CelType | undefined;
  for (const [i, { id }] of node.elements.entries()) {
    const type = entryType(checked, id, node.optionalIndices.includes(i));
    expected ??= type;
    if (!isEquivalentType(expected, type)) return yield { id, expected, type };
  }
}

function* mixedMap(checked: CheckedExpression, node: MapExpr): Generator<Mismatch> {
  let expected: { key: CelType; value: CelType } | undefined;
  for (const entry of node.entries) {
    const found = { key: checked.types.get(entry.key.id)!, value: entryType(checked, entry.value.id, entry.optional) };
    expected ??= found;
    for (const part of ['key', 'value'] as const)
      if (!isEquivalentType(expected[part], found[part])) yield { id: entry[part].id, expected: expected[part], type: found[part] };
  }
}

function entryType(checked: CheckedExpression, id: number, optional: boolean): CelType {
  const type = checked.types.get(id)!;
  return optional && type.kind === 'optional' ? type.value : type;
}

/** Types that a verb of a format string can format, and upstream's error message for all other types. */
interface VerbRule {
  readonly kinds: ReadonlySet<CelType['kind']>;
  readonly complaint: string;
}

const rule = (kinds: readonly CelType['kind'][], complaint: string): VerbRule => ({ kinds: new Set(kinds), complaint });

const STRING_VERB = rule(
  ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
);
const HEX_VERB = rule(['int', 'uint', 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex');

const VERBS: Readonly<Record<FormatClause['verb'], VerbRule>> = {
  s: STRING_VERB,
  d: rule(['int', 'uint'], 'decimal clause can only be used on integers'),
  f: rule(['double', 'string'], 'fixed-point clause can only be used on doubles'),
  e: rule(['double', 'string'], 'scientific clause can only be used on doubles'),
  b: rule(['int', 'uint', 'bool'], 'only integers and bools can be formatted as binary'),
  x: HEX_VERB,
  X: HEX_VERB,
  o: rule(['int', 'uint'], 'octal clause can only be used on integers'),
};

/**
 * Checks the verbs of a literal format string against the types of its literal arguments. Source: cel-go ext/formatting.go
 * `stringFormatValidator` (v0.29.2).
 */
function validateFormatString(checked: CheckedExpression, call: CallExpr, naming: TypeNaming, issues: Issues): void {
  const { target } = call;
  const list = call.args[0];
  if (target?.kind !== 'constant' || target.constant.type !== 'string' || call.args.length !== 1 || list?.kind !== 'list') return;
  const complaint = complaintOf(checked, target.constant.value, list, naming);
  if (complaint !== undefined) issues.report(checked.offsets.get(complaint.id ?? call.id), complaint.message);
}

/**
 * Returns the first error of a format string. `id` is the node id of the wrong argument. It is undefined if the error concerns the format
 * string itself.
 */
function complaintOf(
  checked: CheckedExpression,
  text: string,
  list: ListExpr,
  naming: TypeNaming,
): { id?: number; message: string } | undefined {
  const args = list.elements;
  let used = 0;
  for (const piece of readFormat(text)) {
    if (typeof piece === 'string') continue;
    // If the text ends with `%` and the argument is missing, too, the check reports the incomplete `%`. An evaluation reports the missing
    // argument.
    if (piece instanceof Error && (used < args.length || text.endsWith('%'))) return { message: piece.message };
    const argument = args[used];
    if (argument === undefined || piece instanceof Error) return { message: `index ${used} out of range` };
    used++;
    const verb = VERBS[piece.verb];
    const culprit = verb === STRING_VERB ? unprintable(checked, argument) : misfit(checked, argument, verb);
    if (culprit === undefined) continue;
    const given = runtimeTypeName(checked.types.get(culprit.id)!, naming);
    return { id: culprit.id, message: `error during formatting: ${verb.complaint}, was given ${given}` };
  }
  if (args.length <= used) return undefined;
  return { message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})` };
}

function misfit(checked: CheckedExpression, node: Expr, { kinds }: VerbRule): Expr | undefined {
  const { kind } = checked.types.get(node.id)!;
  return kind === 'dyn' || kinds.has(kind) ? undefined : node;
}

/**
 * Returns the first node of an argument that `%s` cannot format; undefined if it can format all. Entries of list and map literals are also
 * searched.
 */
function unprintable(checked: CheckedExpression, node: Expr): Expr | undefined {
  const own = misfit(checked, node, STRING_VERB);
  if (own !== undefined) return own;
  const entries = node.kind === 'list' ? node.elements : node.kind === 'map' ? node.entries.flatMap(({ key, value }) => [key, value]) : [];
  for (const entry of entries) {
    const culprit = unprintable(checked, entry);
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}
