import { compileRegex } from '#go';
import { CelError, noSuchOverload } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { NativeList } from '../../values/list.ts';
import { isInt, textOf } from '../../values/type-of.ts';
import { INT, listOf, STRING } from '../../values/types/type.ts';
import type { FunctionDeclaration, PatternFunction, PlainCall } from '../define.ts';
import { js } from '../code/javascript.ts';
import { STRING_SHAPE } from '../code/shape.ts';
import { regexMatch } from '../formulas.ts';
import { memberOverload, quadratic } from '../overload.ts';
import { estimateOf, measureOf, size } from '../price.ts';
import type { PriceTerm } from '../price.ts';

type Application = PatternFunction['apply'];

const applyFind: Application = (regex, [value]) => {
  const text = textOf(value as CelValue);
  return text === undefined ? noSuchOverload(value as CelValue) : (regex.find(text) ?? '');
};

const applyFindAll: Application = (regex, [value, , limit = -1]) => {
  const text = textOf(value as CelValue);
  if (text === undefined) return noSuchOverload(value as CelValue);
  return isInt(limit) ? new NativeList(regex.findAll(text, Number(limit)), 'string') : noSuchOverload(limit);
};

/** Returns an implementation that compiles its second argument as a pattern at run time and passes it to `apply`. */
function withPattern(apply: Application): PlainCall {
  return (...args) => {
    const pattern = args[1];
    if (typeof pattern !== 'string') return noSuchOverload(pattern as CelValue);
    const compiled = compileRegex(pattern);
    return compiled.ok ? apply(compiled.regex, args) : new CelError(`Illegal regex: ${compiled.error}`);
  };
}

const TEXT = size(0);
const MATCH = regexMatch(TEXT, size(1));
const measure = measureOf(MATCH);
const growth = quadratic('Go regexp/exec.go `doExecute` (1.26)');
/** Size of a result that has at most as many characters or matches as the text has characters. */
const UP_TO_TEXT: PriceTerm = { ...TEXT, range: (call) => ({ min: 0n, max: TEXT.range(call).max }) };
const estimate = estimateOf(MATCH, { size: UP_TO_TEXT });

const LIST_OF_STRING = listOf(STRING);

/** Declaration of `find`, which returns the first match of a pattern. Source: k8s.io/apiserver/pkg/cel/library/regex.go (1.37). */
export const FIND: FunctionDeclaration = {
  name: 'find',
  library: 'kubernetes.regex',
  pattern: {
    apply: applyFind,
    measure,
    inline: (regex, text) => ({ code: js`(${regex}.find(${text}) ?? "")`, shape: STRING_SHAPE }),
  },
  doc: 'The first match of an RE2 pattern in a string, or an empty text.',
  examples: [
    ["'abc 123'.find('[0-9]+')", "'123'"],
    ["'abc'.find('[0-9]+')", "''"],
  ],
  measure,
  overloads: [memberOverload('string_find_string', [STRING, STRING], STRING, { estimate, measure, growth, call: withPattern(applyFind) })],
};

export const FIND_ALL: FunctionDeclaration = {
  name: 'findAll',
  library: 'kubernetes.regex',
  pattern: { apply: applyFindAll, measure },
  doc: 'All matches of an RE2 pattern in a string, or the first n of them. A negative n means all.',
  examples: ["'123 abc 456'.findAll('[0-9]+') == ['123', '456']", "'123 abc 456'.findAll('[0-9]+', 1) == ['123']"],
  measure,
  overloads: [
    memberOverload('string_find_all_string', [STRING, STRING], LIST_OF_STRING, {
      estimate,
      measure,
      growth,
      call: withPattern(applyFindAll),
    }),
    memberOverload('string_find_all_string_int', [STRING, STRING, INT], LIST_OF_STRING, {
      estimate,
      measure,
      growth,
      call: withPattern(applyFindAll),
    }),
  ],
};
