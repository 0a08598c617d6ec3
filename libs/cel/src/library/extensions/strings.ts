import { codePointLength, goTrim, indexOfText, lastIndexOfText } from '#go';
import { withContext } from '../define.ts';
import { spendIn } from '../../values/evaluation-context.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { asciiTable, goSplit, isFlat, joinTexts, replaceText, rewriteAscii, unitIndex } from '../../values/text.ts';
import { formatValue } from '../../values/format-value.ts';
import { NativeList } from '../../values/list.ts';
import { costSizeOf } from '../../values/size.ts';
import { CelError } from '../../values/value.ts';
import type { CelList, CelValue } from '../../values/value.ts';
import { INT, listOf, STRING } from '../../values/types/type.ts';
import type { FunctionDeclaration, Overload, PlainCall } from '../define.ts';
import { STRING_TRAVERSAL, scanOf, scansFirst, scansFirstTwice, traversesFirst } from '../formulas.ts';
import { dated, linear, memberOverload } from '../overload.ts';
import { statedMeasure } from '../price.ts';
import { estimateJoin, estimateJoinWithSeparator, estimateReplace, estimateSplit, estimateSplitUpTo } from './string-estimates.ts';

const LIST_OF_STRING = listOf(STRING);

const outOfRange = (index: CelValue): CelError => new CelError(`index out of range: ${String(index)}`);

/** Returns the code points of a text from `start` up to `end`, which is excluded. Both must be within the text. */
function codePoints(text: string, start: number, end: number): string {
  return isFlat(text) ? text.slice(start, end) : text.slice(unitIndex(text, start), unitIndex(text, end));
}

const charAt: PlainCall = (text, index) => {
  const size = codePointLength(text as string);
  const position = Number(index);
  if (position < 0 || position > size) return outOfRange(index);
  return position === size ? '' : codePoints(text as string, position, position + 1);
};

/** Converts an index in UTF-16 units to an index in code points. A negative index becomes −1. */
const toCodePoints = (text: string, index: number): number => (index < 0 ? -1 : codePointLength(text.slice(0, index)));

/**
 * Function that searches for a text in another text, starting at an offset. It returns a position in code points, −1 if the text is not
 * found, or an error.
 */
type TextSearch = (context: EvaluationContext, ...args: CelValue[]) => CelValue;

const indexOf: TextSearch = (context, text, part, offset = 0) => {
  const [haystack, needle, from] = [text as string, part as string, Number(offset)];
  if (from < 0) return outOfRange(offset);
  if (needle === '') return Math.min(from, codePointLength(haystack));
  return toCodePoints(haystack, indexOfText(haystack, needle, unitIndex(haystack, from), spendIn(context)));
};

const lastIndexOf: TextSearch = (context, text, part, offset) => {
  const [haystack, needle] = [text as string, part as string];
  const size = codePointLength(haystack);
  const from = offset === undefined ? size : Number(offset);
  if (from < 0) return outOfRange(offset);
  if (needle === '') return Math.min(from, size);
  if (offset !== undefined && from >= size) return -1;
  return toCodePoints(haystack, lastIndexOfText(haystack, needle, unitIndex(haystack, from), spendIn(context)));
};

/** Returns a search with the behaviour before cel-go 0.29: an empty text is found at any given offset. */
const anywhere =
  (call: TextSearch): TextSearch =>
  (context, text, part, offset) =>
    part === '' && offset !== undefined ? offset : call(context, text, part, offset);

/**
 * Returns a search with the behaviour before cel-go 0.22. An offset at or beyond the end of the text is an error, except in a search for
 * the empty text.
 */
const withinText =
  (call: TextSearch): TextSearch =>
  (context, text, part, offset) =>
    part !== '' && offset !== undefined && Number(offset) >= codePointLength(text as string)
      ? outOfRange(offset)
      : call(context, text, part, offset);

/**
 * Returns a search with the behaviour before cel-go 0.26. The search for the last occurrence in an empty text is an error, because the
 * search starts at position −1.
 */
const fromLast =
  (call: TextSearch): TextSearch =>
  (context, text, part) =>
    text === '' && part !== '' ? outOfRange(-1) : call(context, text, part);

const substring: PlainCall = (text, start, end) => {
  const size = codePointLength(text as string);
  const [from, to] = [Number(start), end === undefined ? size : Number(end)];
  if (end !== undefined && from > to) return new CelError(`invalid substring range. start: ${String(start)}, end: ${String(end)}`);
  if (from < 0 || from > size) return outOfRange(start);
  if (to < 0 || to > size) return outOfRange(end);
  return codePoints(text as string, from, to);
};

const replace = withContext((context, text, part, by, limit = -1) =>
  replaceText(text as string, { part: part as string, by: by as string, limit: Number(limit) }, spendIn(context)),
);

const split = withContext(
  (context, text, separator, limit = -1) =>
    new NativeList(goSplit(text as string, separator as string, Number(limit), spendIn(context)), 'string'),
);

const join = withContext((context, list, separator = '') => {
  const parts: string[] = [];
  const elements = list as CelList;
  for (let i = 0; i < elements.size; i++) {
    context.poll();
    const element = elements.at(i);
    if (typeof element !== 'string') return new CelError(`join: invalid input: ${formatValue(element)}`);
    parts.push(element);
  }
  return joinTexts(parts, separator as string, spendIn(context));
});

const ASCII = /^[\0-\x7f]*$/;
const CAPITALS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const TO_LOWER = asciiTable(CAPITALS.map((letter) => [letter, letter.toLowerCase()]));
const TO_UPPER = asciiTable(CAPITALS.map((letter) => [letter.toLowerCase(), letter]));

/** Returns the text with its ASCII letters in lower case. `toLowerCase` alone would also change letters beyond ASCII. */
const lowerAscii = withContext((context, text) =>
  ASCII.test(text as string) ? (text as string).toLowerCase() : rewriteAscii(text as string, TO_LOWER, spendIn(context)),
);

/** Returns the text with its ASCII letters in upper case. */
const upperAscii = withContext((context, text) =>
  ASCII.test(text as string) ? (text as string).toUpperCase() : rewriteAscii(text as string, TO_UPPER, spendIn(context)),
);

/**
 * Estimate, run-time cost and growth of the number of steps, for string functions that read their receiver once, such as `trim`. The result
 * is a string of at most the size of the receiver.
 */
const transform = {
  estimate: scanOf(0, { keepsSize: true }),
  measure: scansFirst,
  growth: linear('cel-go ext/strings.go `lowerASCII`, `upperASCII`, `substrRange`, `trimSpace` (v0.29.2)'),
};
const SEARCH_GROWTH = linear('cel-go ext/strings.go `indexOfOffset`, `lastIndexOfOffset` (v0.29.2), whose steps are a product');
const EDIT_GROWTH = linear('Go strings/strings.go `Replace`, `genSplit` (1.26)');
/**
 * Estimate, run-time cost and growth of the number of steps, for search functions. Upstream determines their run-time cost by function
 * name: a tenth of the bytes, rounded down.
 */
const search = { estimate: scanOf(0), measure: traversesFirst, growth: SEARCH_GROWTH };
const JOIN_GROWTH = linear('Go strings/strings.go `Join` (1.26)');
const buildsResult = statedMeasure('⌈0.2 × size(result)⌉', (_, result) => Math.ceil(costSizeOf(result) * 2 * STRING_TRAVERSAL));

const declare = (
  name: string,
  doc: string,
  examples: FunctionDeclaration['examples'],
  overloads: readonly Overload[],
): FunctionDeclaration => ({ name, library: 'strings', doc, examples, overloads, measure: overloads[0]?.measure });

/**
 * Functions of the strings library, version 2, except `join`. Positions are counted in code points. Source: cel-go ext/strings.go
 * (v0.29.2), costs of library/cost.go (1.37).
 */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare(
    'charAt',
    'The code point at a position, or an empty text at the end.',
    [
      ["'hello'.charAt(4)", "'o'"],
      ["'hello'.charAt(5)", "''"],
    ],
    [
      memberOverload('string_char_at_int', [STRING, INT], STRING, {
        growth: linear('cel-go ext/strings.go `charAt` (v0.29.2)'),
        call: charAt,
      }),
    ],
  ),
  declare(
    'indexOf',
    'Position of the first occurrence of a text, at or after an offset; -1 if there is none.',
    ["'hello mellow'.indexOf('ello') == 1", "'hello mellow'.indexOf('jello') == -1", "'hello mellow'.indexOf('ello', 2) == 7"],
    [
      memberOverload('string_index_of_string', [STRING, STRING], INT, { ...search, call: withContext(indexOf) }),
      ...dated(memberOverload('string_index_of_string_int', [STRING, STRING, INT], INT, { ...search, call: withContext(indexOf) }), [
        { replacedIn: '1.32', parts: { call: withContext(anywhere(withinText(indexOf))) } },
        { replacedIn: '1.37', parts: { call: withContext(anywhere(indexOf)) } },
      ]),
    ],
  ),
  declare(
    'lastIndexOf',
    'Position of the last occurrence of a text, at or before an offset; -1 if there is none.',
    ["'hello mellow'.lastIndexOf('ello') == 7", "'hello mellow'.lastIndexOf('ello', 6) == 1"],
    [
      ...dated(memberOverload('string_last_index_of_string', [STRING, STRING], INT, { ...search, call: withContext(lastIndexOf) }), [
        { replacedIn: '1.34', parts: { call: withContext(fromLast(lastIndexOf)) } },
      ]),
      ...dated(
        memberOverload('string_last_index_of_string_int', [STRING, STRING, INT], INT, { ...search, call: withContext(lastIndexOf) }),
        [
          { replacedIn: '1.32', parts: { call: withContext(anywhere(withinText(lastIndexOf))) } },
          { replacedIn: '1.37', parts: { call: withContext(anywhere(lastIndexOf)) } },
        ],
      ),
    ],
  ),
  declare(
    'lowerAscii',
    'The text with its ASCII letters in lower case.',
    [["'TacoCÆt'.lowerAscii()", "'tacocÆt'"]],
    [
      memberOverload('string_lower_ascii', [STRING], STRING, {
        ...transform,
        call: lowerAscii,
      }),
    ],
  ),
  declare(
    'replace',
    'The text with all occurrences of a part replaced, or with the first n of them.',
    [
      ["'hello hello'.replace('he', 'we')", "'wello wello'"],
      ["'hello hello'.replace('he', 'we', 1)", "'wello hello'"],
    ],
    [
      memberOverload('string_replace_string_string', [STRING, STRING, STRING], STRING, {
        estimate: estimateReplace,
        measure: scansFirstTwice,
        growth: EDIT_GROWTH,
        call: replace,
      }),
      memberOverload('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, {
        estimate: estimateReplace,
        measure: scansFirstTwice,
        growth: EDIT_GROWTH,
        call: replace,
      }),
    ],
  ),
  declare(
    'split',
    'The parts between the occurrences of a separator. The limit is the largest number of parts.',
    ["'hello hello'.split(' ') == ['hello', 'hello']", "'a,b,c'.split(',', 2) == ['a', 'b,c']", "'ab'.split('') == ['a', 'b']"],
    [
      memberOverload('string_split_string', [STRING, STRING], LIST_OF_STRING, {
        estimate: estimateSplit,
        measure: scansFirstTwice,
        growth: EDIT_GROWTH,
        call: split,
      }),
      memberOverload('string_split_string_int', [STRING, STRING, INT], LIST_OF_STRING, {
        estimate: estimateSplitUpTo,
        measure: scansFirstTwice,
        growth: EDIT_GROWTH,
        call: split,
      }),
    ],
  ),
  declare(
    'substring',
    'The code points from a position to the end, or up to another position.',
    [
      ["'tacocat'.substring(4)", "'cat'"],
      ["'tacocat'.substring(0, 4)", "'taco'"],
    ],
    [
      memberOverload('string_substring_int', [STRING, INT], STRING, { ...transform, call: substring }),
      memberOverload('string_substring_int_int', [STRING, INT, INT], STRING, { ...transform, call: substring }),
    ],
  ),
  declare(
    'trim',
    'The text without white space at its ends.',
    [["'  \\ttrim\\n    '.trim()", "'trim'"]],
    [memberOverload('string_trim', [STRING], STRING, { ...transform, call: (text) => goTrim(text as string) })],
  ),
  declare(
    'upperAscii',
    'The text with its ASCII letters in upper case.',
    [["'TacoCæt'.upperAscii()", "'TACOCæT'"]],
    [
      memberOverload('string_upper_ascii', [STRING], STRING, {
        ...transform,
        call: upperAscii,
      }),
    ],
  ),
];

/**
 * Declaration of the function `join` of the strings library. It is separate because it follows `format` and `quote` in the order of all
 * functions.
 */
export const JOIN_LIST: FunctionDeclaration = {
  name: 'join',
  library: 'strings',
  doc: 'The strings of a list as one string, with a separator between them.',
  examples: [
    ["['hello', 'mellow'].join()", "'hellomellow'"],
    ["['hello', 'mellow'].join(' ')", "'hello mellow'"],
  ],
  measure: buildsResult,
  overloads: [
    memberOverload('list_join', [LIST_OF_STRING], STRING, {
      estimate: estimateJoin,
      measure: buildsResult,
      growth: JOIN_GROWTH,
      call: join,
    }),
    memberOverload('list_join_string', [LIST_OF_STRING, STRING], STRING, {
      estimate: estimateJoinWithSeparator,
      measure: buildsResult,
      growth: JOIN_GROWTH,
      call: join,
    }),
  ],
};
