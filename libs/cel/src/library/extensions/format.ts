import { CelError } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import { DYN, listOf, STRING } from '../../values/types/type.ts';
import type { FunctionDeclaration, ContextCall } from '../define.ts';
import { withContext } from '../define.ts';
import { spendIn } from '../../values/evaluation-context.ts';
import { asciiTable, rewriteAscii } from '../../values/text.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { standardScansFirst, scan, scanEstimate } from '../formulas.ts';
import { dated, globalOverload, linear, memberOverload } from '../overload.ts';
import { always, between, standardSize, estimateBy, estimateOf, fixed, scaled, sizeEstimate, statedEstimate, sum } from '../price.ts';
import { readFormat } from './format-clauses.ts';
import { renderClause } from './format-values.ts';

/** Minor number of the compatibility version that introduced version 2 of the strings library. */
const since = 29;

/** Formats arguments with the format string `text`. `times` is the multiplication sign in scientific notation. */
function format(context: EvaluationContext, text: string, args: CelList, times: string): CelValue {
  let rendered = '';
  let next = 0;
  for (const piece of readFormat(text)) {
    if (typeof piece === 'string') {
      rendered += piece;
      continue;
    }
    if (next >= args.size) return new CelError(`index ${next} out of range`);
    if (piece instanceof Error) return new CelError(piece.message);
    const value = renderClause(context, piece, args.at(next++), times);
    if (value instanceof CelError) return new CelError(`error during formatting: ${value.message}`);
    rendered += value;
  }
  return rendered;
}

/**
 * Multiplication sign in scientific notation. Kubernetes minor versions before 1.33 use a version of x/text that adds a narrow space before
 * and after the sign.
 */
const TIMES = '×';
const SPACED_TIMES = '\u202f×\u202f';

const FIRST = standardSize(0);
const FIRST_SCAN = scan(FIRST);
const quoted = estimateOf(FIRST_SCAN, { size: between(sum(FIRST, fixed(2)), sum(scaled(2, FIRST), fixed(2))) });
/** Estimate of `strings.quote` before 1.38: upstream doubles without saturation, so that an unknown size wraps around. */
const wrappingQuoted = statedEstimate({ cost: standardScansFirst.formula, resultSize: always('(2 × size(x) + 2) mod 2^64') }, (call) => {
  const size = sizeEstimate(call, 0);
  return { cost: scanEstimate(size), resultSize: { min: size.min + 2n, max: BigInt.asUintN(64, size.max * 2n + 2n) } };
});

const formatWith = (times: string): ContextCall =>
  withContext((context, text, args) => format(context, text as string, args as CelList, times));

export const FORMAT: FunctionDeclaration = {
  name: 'format',
  library: 'strings',
  doc: 'The text with its clauses replaced by the arguments. The clause %s takes any value, %d integers, %f and %e doubles with an optional precision. The clause %b is binary, %o octal, %x and %X hexadecimal.',
  examples: [
    ["'%s has %d items'.format(['list', 3])", "'list has 3 items'"],
    ["'%.2f'.format([1.239])", "'1.24'"],
    ["'%b %o %X'.format([5, 8, 255])", "'101 10 FF'"],
  ],
  literalArgument: 'format',
  overloads: [
    ...dated(
      memberOverload('string_format', [STRING, listOf(DYN)], STRING, {
        since,
        variadic: true,
        estimate: estimateOf(FIRST_SCAN),
        measure: standardScansFirst,
        growth: linear('cel-go ext/formatting.go `parseFormatString` (v0.29.2)'),
        call: formatWith(TIMES),
      }),
      [{ replacedIn: '1.33', parts: { call: formatWith(SPACED_TIMES) } }],
    ),
  ],
};

const QUOTED = asciiTable(
  Object.entries({
    '\u0007': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
    '\\': '\\\\',
    '"': '\\"',
  }),
);

export const QUOTE: FunctionDeclaration = {
  name: 'strings.quote',
  library: 'strings',
  doc: 'The text in double quotes, with control characters, backslashes and quotes escaped.',
  examples: [['strings.quote(\'single-quote with "double quote"\')', '\'"single-quote with \\\\"double quote\\\\""\'']],
  overloads: [
    globalOverload('strings_quote', [STRING], STRING, {
      since,
      estimate: estimateBy((costs) => costs.costsAreModelled, quoted, wrappingQuoted),
      measure: standardScansFirst,
      growth: linear('cel-go ext/strings.go `quote` (v0.29.2)'),
      call: withContext((context, text) => `"${rewriteAscii(text as string, QUOTED, spendIn(context))}"`),
    }),
  ],
};
