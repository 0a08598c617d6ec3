import { compileRegex, indexOfText, isQuickSearch, SEARCH_STRETCH, SHORT_PART } from '#go';
import type { Regex } from '#go';
import { joined, js } from '../code/javascript.ts';
import { BOOL_SHAPE, SHORT_TEXT, unitCount, unitTests } from '../code/shape.ts';
import type { Operand, TextWindow } from '../code/shape.ts';
import type { Fragment } from '../code/javascript.ts';
import type { InlineCall } from '../code/site.ts';
import { textOf } from '../../values/type-of.ts';
import { CelError, NO_SUCH_OVERLOAD, noSuchOverload } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, STRING } from '../../values/types/type.ts';
import { withContext } from '../define.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { spendIn } from '../../values/evaluation-context.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { standardScansFirst, nominal, oneUnit, regexMatch, scan } from '../formulas.ts';
import { globalOverload, linear, memberOverload, quadratic } from '../overload.ts';
import { standardSize, estimateBy, estimateOf, measureBy, measureOf, product } from '../price.ts';

/**
 * Returns an implementation that tests two strings. If an argument is not a string, the result is `no such overload`. The implementation
 * must test the types itself, because upstream disables the type guards of these functions.
 */
function onStrings(test: (text: string, part: string) => boolean): PlainCall {
  return (text, part) => {
    if (typeof text !== 'string') return noSuchOverload(text);
    return typeof part === 'string' ? test(text, part) : noSuchOverload(part);
  };
}

/** Returns an emitter for a test of two strings. It emits nothing for operands that are not known to be strings. */
function inlineOnStrings(test: (text: Operand, part: Operand) => Fragment): InlineCall {
  return (_, [text, part]) =>
    text!.shape.kind === 'string' && part!.shape.kind === 'string' ? { code: test(text!, part!), shape: BOOL_SHAPE } : undefined;
}

/**
 * Returns an emitter for a test whether a text begins or ends with an affix.
 *
 * @param end End of the text at which the affix is compared: `from` for the start, and `to` for the end.
 */
function inlineAffix(test: (text: Fragment, affix: Fragment) => Fragment, end: keyof Pick<TextWindow, 'from' | 'to'>): InlineCall {
  return inlineOnStrings((operand, { code: affix, constant }) => {
    if (typeof constant !== 'string' || constant.length > SHORT_TEXT) return test(operand.code, affix);
    return js`(${joined([js`${unitCount(operand)} >= ${constant.length}`, ...unitTests(operand, constant, end)], ' && ')})`;
  });
}

const ARGUMENT_SCAN = scan(standardSize(1));
const affixTest = {
  growth: linear('Go strings/strings.go `HasPrefix`, `HasSuffix` (1.26)'),
  estimate: estimateOf(ARGUMENT_SCAN),
  measure: measureBy(({ affixTestTraverses }) => affixTestTraverses === 'argument', measureOf(ARGUMENT_SCAN), standardScansFirst),
};

/** Returns `text.includes(part)`. Long searches check the cancellation token at intervals. */
function holdsText(context: EvaluationContext, text: string, part: string): boolean {
  return isQuickSearch(text, part) ? text.includes(part) : indexOfText(text, part, 0, spendIn(context)) >= 0;
}

/**
 * Emits a search for a substring. A short constant is searched with the JavaScript method `includes`. If the text is so long that this
 * search would take noticeable time, the code returns undefined, and the interpreter searches.
 */
const inlineContains: InlineCall = (site, operands) => {
  const [text, part] = operands as readonly [Operand, Operand];
  if (text.shape.kind !== 'string' || part.shape.kind !== 'string') return undefined;
  const { constant } = part;
  if (typeof constant === 'string' && constant.length <= SHORT_PART) {
    const length = text.window === undefined ? js`${text.code}.length` : js`${text.window.to} - ${text.window.from}`;
    site.writer.bail(js`${length} > ${SEARCH_STRETCH}`);
    return { code: js`${text.code}.includes(${part.code})`, shape: BOOL_SHAPE };
  }
  site.runsLong = true;
  return { code: js`${site.constants.name(holdsText)}(run, ${text.code}, ${part.code})`, shape: BOOL_SHAPE };
};

/**
 * Cost of searching a substring. It is the product of the costs of scanning both strings, because the substring may begin at every position
 * of the text.
 */
const SEARCH = product(scan(standardSize(0)), scan(standardSize(1)));

export const CONTAINS: FunctionDeclaration = {
  name: 'contains',
  library: 'standard',
  doc: 'True if a string contains another.',
  examples: ["'hello world'.contains('o w')", "!'hello world'.contains('goodbye')"],
  guard: 'none',
  overloads: [
    memberOverload('contains_string', [STRING, STRING], BOOL, {
      estimate: estimateOf(SEARCH),
      measure: measureOf(SEARCH),
      growth: linear('Go strings/strings.go `Index` (1.26)'),
      call: withContext((context, text, part) => {
        if (typeof text !== 'string') return noSuchOverload(text);
        return typeof part === 'string' ? holdsText(context, text, part) : noSuchOverload(part);
      }),
      inline: inlineContains,
    }),
  ],
};

export const ENDS_WITH: FunctionDeclaration = {
  name: 'endsWith',
  library: 'standard',
  doc: 'True if a string ends with another.',
  examples: ["'hello world'.endsWith('world')", "!'hello world'.endsWith('hello')"],
  guard: 'none',
  overloads: [
    memberOverload('ends_with_string', [STRING, STRING], BOOL, {
      ...affixTest,
      call: onStrings((text, part) => text.endsWith(part)),
      inline: inlineAffix((text, affix) => js`${text}.endsWith(${affix})`, 'to'),
    }),
  ],
};

export const STARTS_WITH: FunctionDeclaration = {
  name: 'startsWith',
  library: 'standard',
  doc: 'True if a string begins with another.',
  examples: ["'hello world'.startsWith('hello')", "!'hello world'.startsWith('world')"],
  guard: 'none',
  overloads: [
    memberOverload('starts_with_string', [STRING, STRING], BOOL, {
      ...affixTest,
      call: onStrings((text, part) => text.startsWith(part)),
      inline: inlineAffix((text, affix) => js`${text}.startsWith(${affix})`, 'from'),
    }),
  ],
};

const matches: PlainCall = (text, pattern) => {
  if (typeof pattern !== 'string') return noSuchOverload(pattern);
  const compiled = compileRegex(pattern);
  return compiled.ok ? compiled.regex.test(text as string) : new CelError(compiled.error);
};

const MATCHING = quadratic('Go regexp/exec.go `doExecute` (1.26)');
const MATCH = regexMatch(standardSize(0), standardSize(1));
const methodPrice = { estimate: estimateOf(MATCH), measure: measureOf(MATCH) };
const globalPrice = {
  estimate: estimateBy((costs) => costs.globalMatchesTraverses, methodPrice.estimate, nominal),
  measure: measureBy((costs) => costs.globalMatchesTraverses, methodPrice.measure, oneUnit),
};

/** Tests a compiled pattern on a value. If upstream does not accept the value as a string, the result is `no such overload`. */
function testMatch(regex: Regex, [value]: readonly CelValue[]): CelValue {
  const text = textOf(value as CelValue);
  return text === undefined ? NO_SUCH_OVERLOAD : regex.test(text);
}

export const MATCHES: FunctionDeclaration = {
  name: 'matches',
  library: 'standard',
  literalArgument: 'pattern',
  pattern: {
    apply: testMatch,
    measure: undefined,
    inline: (regex, text) => ({ code: js`${regex}.test(${text})`, shape: BOOL_SHAPE }),
  },
  doc: 'True if an RE2 pattern matches anywhere in a string. If a constant pattern is invalid, the expression does not compile.',
  examples: ["matches('123-456', '^[0-9]+(-[0-9]+)?$')", "'hello'.matches('^h.*o$')"],
  guard: 'matcher',
  overloads: [
    globalOverload('matches', [STRING, STRING], BOOL, {
      ...globalPrice,
      growth: MATCHING,
      call: matches,
    }),
    memberOverload('matches_string', [STRING, STRING], BOOL, { ...methodPrice, growth: MATCHING, call: matches }),
  ],
};
