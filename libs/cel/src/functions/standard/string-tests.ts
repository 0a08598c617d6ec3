import { compileRegex } from '#kube';
import { multiplyRanges } from '../../cost/range.ts';
import { noSuchOverload } from '../../runtime/errors.ts';
import { coreCostSizeOf } from '../../runtime/size.ts';
import { CelError } from '../../runtime/value.ts';
import type { CelValue } from '../../runtime/value.ts';
import { BOOL, STRING } from '../../types/type.ts';
import type { CallEstimate, CostVersion, EstimatedCall, FunctionDeclaration, Measure, Overload } from '../define.ts';
import { regexEstimate, regexUnits, nominal, scanEstimate, scanUnits, sizeEstimate } from '../formulas.ts';
import { globalOverload, memberOverload } from '../overload.ts';

/** A test of two strings that answers `no such overload` for anything else: their type guards are off upstream. */
function onStrings(test: (text: string, part: string) => boolean): Overload['call'] {
  return (text, part) => {
    if (typeof text !== 'string') return noSuchOverload(text);
    return typeof part === 'string' ? test(text, part) : noSuchOverload(part);
  };
}

const AFFIX_OPERAND: Readonly<Record<CostVersion['affixTestTraverses'], number>> = { receiver: 0, argument: 1 };

const estimateAffixTest = (call: EstimatedCall): CallEstimate => ({ cost: scanEstimate(sizeEstimate(call, 1)) });
const measureAffixTest: Measure = (args, _, costs) => scanUnits(coreCostSizeOf(args[AFFIX_OPERAND[costs.affixTestTraverses]] as CelValue));

export const CONTAINS: FunctionDeclaration = {
  name: 'contains',
  library: 'standard',
  doc: 'Whether a string holds another.',
  examples: ["'hello world'.contains('o w')", "!'hello world'.contains('goodbye')"],
  guard: 'none',
  overloads: [
    memberOverload('contains_string', [STRING, STRING], BOOL, {
      estimate: (call) => ({ cost: multiplyRanges(scanEstimate(sizeEstimate(call, 0)), scanEstimate(sizeEstimate(call, 1))) }),
      measure: (args) => scanUnits(coreCostSizeOf(args[0] as CelValue)) * scanUnits(coreCostSizeOf(args[1] as CelValue)),
      call: onStrings((text, part) => text.includes(part)),
    }),
  ],
};

export const ENDS_WITH: FunctionDeclaration = {
  name: 'endsWith',
  library: 'standard',
  doc: 'Whether a string ends with another.',
  examples: ["'hello world'.endsWith('world')", "!'hello world'.endsWith('hello')"],
  guard: 'none',
  overloads: [
    memberOverload('ends_with_string', [STRING, STRING], BOOL, {
      estimate: estimateAffixTest,
      measure: measureAffixTest,
      call: onStrings((text, part) => text.endsWith(part)),
    }),
  ],
};

export const STARTS_WITH: FunctionDeclaration = {
  name: 'startsWith',
  library: 'standard',
  doc: 'Whether a string begins with another.',
  examples: ["'hello world'.startsWith('hello')", "!'hello world'.startsWith('world')"],
  guard: 'none',
  overloads: [
    memberOverload('starts_with_string', [STRING, STRING], BOOL, {
      estimate: estimateAffixTest,
      measure: measureAffixTest,
      call: onStrings((text, part) => text.startsWith(part)),
    }),
  ],
};

const matches: Overload['call'] = (text, pattern) => {
  if (typeof pattern !== 'string') return noSuchOverload(pattern);
  const compiled = compileRegex(pattern);
  return compiled.ok ? compiled.regex.test(text as string) : new CelError(compiled.error);
};

const measureMatches: Measure = (args) => regexUnits(coreCostSizeOf(args[0] as CelValue), coreCostSizeOf(args[1] as CelValue));
const estimateMatches = (call: EstimatedCall): CallEstimate => ({ cost: regexEstimate(sizeEstimate(call, 0), sizeEstimate(call, 1)) });

export const MATCHES: FunctionDeclaration = {
  name: 'matches',
  library: 'standard',
  literalArgument: 'pattern',
  doc: 'Whether an RE2 pattern matches anywhere in a string. A pattern that is a constant is compiled once, and a bad one fails at compile time.',
  examples: ["matches('123-456', '^[0-9]+(-[0-9]+)?$')", "'hello'.matches('^h.*o$')"],
  guard: 'matcher',
  overloads: [
    globalOverload('matches', [STRING, STRING], BOOL, {
      estimate: (call) => (call.costs.globalMatchesTraverses ? estimateMatches(call) : nominal()),
      measure: (args, result, costs) => (costs.globalMatchesTraverses ? measureMatches(args, result, costs) : 1),
      call: matches,
    }),
    memberOverload('matches_string', [STRING, STRING], BOOL, { estimate: estimateMatches, measure: measureMatches, call: matches }),
  ],
};
