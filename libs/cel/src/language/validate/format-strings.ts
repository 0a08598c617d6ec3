import { readFormat } from '../../library/extensions/format-clauses.ts';
import { runtimeTypeName } from '../../values/types/format.ts';
import type { TypeNaming } from '../../values/types/format.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { FormatClause } from '../../library/extensions/format-clauses.ts';
import type { CallExpr, Expr, ListExpr } from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';
import type { CelType } from '../../values/types/type.ts';

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
export function validateFormatString(checked: CheckedExpression, call: CallExpr, naming: TypeNaming, issues: Issues): void {
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
    // The check reports a missing clause before a missing argument. Evaluation reports them in the opposite order.
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

/** Returns the first node of an argument that `%s` cannot format. Entries of list and map literals are also searched. */
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
