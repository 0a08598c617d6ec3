import { runtimeTypeName } from '../types/format.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { CallExpr, Expr, ListExpr } from '../syntax/ast.ts';
import type { Issues } from '../syntax/issues.ts';
import type { CelType } from '../types/type.ts';

/** What a clause letter may format, and what upstream says of anything else. */
interface Clause {
  readonly kinds: ReadonlySet<CelType['kind']>;
  readonly complaint: string;
}

const clause = (kinds: readonly CelType['kind'][], complaint: string): Clause => ({ kinds: new Set(kinds), complaint });

const STRING_CLAUSE = clause(
  ['list', 'map', 'int', 'uint', 'double', 'bool', 'string', 'timestamp', 'bytes', 'duration', 'type', 'null'],
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
);
const HEX_CLAUSE = clause(['int', 'uint', 'string', 'bytes'], 'only integers, byte buffers, and strings can be formatted as hex');

const CLAUSES: ReadonlyMap<string, Clause> = new Map([
  ['s', STRING_CLAUSE],
  ['d', clause(['int', 'uint'], 'decimal clause can only be used on integers')],
  ['f', clause(['double', 'string'], 'fixed-point clause can only be used on doubles')],
  ['e', clause(['double', 'string'], 'scientific clause can only be used on doubles')],
  ['b', clause(['int', 'uint', 'bool'], 'only integers and bools can be formatted as binary')],
  ['x', HEX_CLAUSE],
  ['X', HEX_CLAUSE],
  ['o', clause(['int', 'uint'], 'octal clause can only be used on integers')],
]);

/**
 * Checks the clauses of a literal format string against the types of its literal arguments.
 * Source: cel-go ext/formatting.go `stringFormatValidator` (v0.29.2).
 */
export function validateFormatString(checked: CheckedExpression, call: CallExpr, issues: Issues): void {
  const { target } = call;
  const list = call.args[0];
  if (target?.kind !== 'constant' || target.constant.type !== 'string' || call.args.length !== 1 || list?.kind !== 'list') return;
  const complaint = complaintOf(checked, target.constant.value, list);
  if (complaint !== undefined) issues.report(checked.offsets.get(complaint.id ?? call.id), complaint.message);
}

/** The first thing wrong; `id` is that of the argument to blame, if it is one. */
function complaintOf(checked: CheckedExpression, text: string, list: ListExpr): { id?: number; message: string } | undefined {
  const args = list.elements;
  // Upstream reads clauses byte by byte.
  const bytes = Buffer.from(text).toString('latin1');
  let used = 0;
  for (let at = bytes.indexOf('%'); at >= 0; at = bytes.indexOf('%', at)) {
    if (bytes[at + 1] === '%') {
      at += 2;
      continue;
    }
    if (at + 1 >= bytes.length) return { message: 'unexpected end of string' };
    const argument = args[used];
    if (argument === undefined) return { message: `index ${used} out of range` };
    used++;
    const parsed = parseClause(bytes, at + 1);
    if (!parsed.ok) return { message: `could not parse formatting clause: ${parsed.error}` };
    const culprit = parsed.clause === STRING_CLAUSE ? unprintable(checked, argument) : misfit(checked, argument, parsed.clause);
    if (culprit !== undefined) {
      const given = runtimeTypeName(checked.types.get(culprit.id)!);
      return { id: culprit.id, message: `error during formatting: ${parsed.clause.complaint}, was given ${given}` };
    }
    at = parsed.end;
  }
  if (args.length <= used) return undefined;
  return { message: `too many arguments supplied to string.format (expected ${used}, got ${args.length})` };
}

type ParsedClause = { readonly ok: true; readonly clause: Clause; readonly end: number } | { readonly ok: false; readonly error: string };

function parseClause(bytes: string, start: number): ParsedClause {
  let at = start;
  if (bytes[at] === '.') {
    const digits = /\d*/y;
    digits.lastIndex = ++at;
    const precision = digits.exec(bytes)![0];
    at += precision.length;
    const reason = at >= bytes.length ? 'could not find end of precision specifier' : precisionError(precision);
    if (reason !== undefined) return { ok: false, error: `error while parsing precision: ${reason}` };
  }
  const found = CLAUSES.get(bytes[at]!);
  return found === undefined ? { ok: false, error: `unrecognized formatting clause "${bytes[at]}"` } : { ok: true, clause: found, end: at + 1 };
}

function precisionError(digits: string): string | undefined {
  const problem = digits === '' ? 'invalid syntax' : BigInt(digits) > 9223372036854775807n ? 'value out of range' : undefined;
  return problem && `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`;
}

function misfit(checked: CheckedExpression, node: Expr, { kinds }: Clause): Expr | undefined {
  const { kind } = checked.types.get(node.id)!;
  return kind === 'dyn' || kinds.has(kind) ? undefined : node;
}

/** The first node of an argument, entries of literals included, that `%s` cannot print. */
function unprintable(checked: CheckedExpression, node: Expr): Expr | undefined {
  const own = misfit(checked, node, STRING_CLAUSE);
  if (own !== undefined) return own;
  const entries = node.kind === 'list' ? node.elements : node.kind === 'map' ? node.entries.flatMap(({ key, value }) => [key, value]) : [];
  for (const entry of entries) {
    const culprit = unprintable(checked, entry);
    if (culprit !== undefined) return culprit;
  }
  return undefined;
}
