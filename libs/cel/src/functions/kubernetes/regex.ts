import { compileRegex } from '#kube';
import { noSuchOverload } from '../../runtime/errors.ts';
import { ArrayList } from '../../runtime/list.ts';
import { costSizeOf } from '../../runtime/size.ts';
import { isInt, textOf } from '../../runtime/type-of.ts';
import { CelError } from '../../runtime/value.ts';
import type { CelValue } from '../../runtime/value.ts';
import { INT, listOf, STRING } from '../../types/type.ts';
import type { CallEstimate, EstimatedCall, FunctionDeclaration, Measure, Overload, PatternFunction } from '../define.ts';
import { regexEstimate, regexUnits, sizeEstimate } from '../formulas.ts';
import { memberOverload } from '../overload.ts';

type Application = PatternFunction['apply'];

const applyFind: Application = (regex, [value]) => {
  const text = textOf(value as CelValue);
  return text === undefined ? noSuchOverload(value as CelValue) : (regex.find(text) ?? '');
};

const applyFindAll: Application = (regex, [value, , limit = -1]) => {
  const text = textOf(value as CelValue);
  if (text === undefined) return noSuchOverload(value as CelValue);
  return isInt(limit) ? new ArrayList(regex.findAll(text, Number(limit))) : noSuchOverload(limit);
};

/** A call whose pattern is known only at run time. */
function withPattern(apply: Application): Overload['call'] {
  return (...args) => {
    const pattern = args[1];
    if (typeof pattern !== 'string') return noSuchOverload(pattern as CelValue);
    const compiled = compileRegex(pattern);
    return compiled.ok ? apply(compiled.regex, args) : new CelError(`Illegal regex: ${compiled.error}`);
  };
}

const measure: Measure = (args) => regexUnits(costSizeOf(args[0] as CelValue), costSizeOf(args[1] as CelValue));

/** In the worst case every character is a result of its own. */
function estimate(call: EstimatedCall): CallEstimate {
  const text = sizeEstimate(call, 0);
  return { cost: regexEstimate(text, sizeEstimate(call, 1)), resultSize: { min: 0n, max: text.max } };
}

const LIST_OF_STRING = listOf(STRING);

/** Source: k8s.io/apiserver/pkg/cel/library/regex.go (1.37). */
export const FIND: FunctionDeclaration = {
  name: 'find',
  library: 'kubernetes.regex',
  doc: 'The first match of an RE2 pattern in a string; empty when there is none.',
  examples: [
    ["'abc 123'.find('[0-9]+')", "'123'"],
    ["'abc'.find('[0-9]+')", "''"],
  ],
  measure,
  overloads: [memberOverload('string_find_string', [STRING, STRING], STRING, { estimate, measure, call: withPattern(applyFind) })],
};

export const FIND_ALL: FunctionDeclaration = {
  name: 'findAll',
  library: 'kubernetes.regex',
  doc: 'All matches of an RE2 pattern in a string, or the first few; a negative number means all.',
  examples: ["'123 abc 456'.findAll('[0-9]+') == ['123', '456']", "'123 abc 456'.findAll('[0-9]+', 1) == ['123']"],
  measure,
  overloads: [
    memberOverload('string_find_all_string', [STRING, STRING], LIST_OF_STRING, { estimate, measure, call: withPattern(applyFindAll) }),
    memberOverload('string_find_all_string_int', [STRING, STRING, INT], LIST_OF_STRING, {
      estimate,
      measure,
      call: withPattern(applyFindAll),
    }),
  ],
};

/** What the functions do once their pattern is compiled. */
export const REGEX_APPLICATIONS: readonly (readonly [name: string, applied: PatternFunction])[] = [
  [FIND.name, { apply: applyFind, measure }],
  [FIND_ALL.name, { apply: applyFindAll, measure }],
];
