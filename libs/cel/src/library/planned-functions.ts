import type { Regex } from '#go';
import { NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { textOf } from '../values/type-of.ts';
import type { CelValue } from '../values/value.ts';
import type { PatternFunction } from './define.ts';
import { REGEX_APPLICATIONS } from './kubernetes/regex.ts';
import { OPTIONAL_PLANS } from './optionals.ts';
import { IN, INDEX } from './standard/collections.ts';
import { CONVERSIONS } from './standard/conversions.ts';
import { EQUALS, NOT_EQUALS } from './standard/equality.ts';
import { CONDITIONAL, LOGICAL_AND, LOGICAL_OR } from './standard/logic.ts';
import { MATCHES } from './standard/string-tests.ts';

/** How a function that is more than a call is planned. */
export type PlannedKind =
  'and' | 'or' | 'conditional' | 'equals' | 'notEquals' | 'index' | 'optionalIndex' | 'optionalOr' | 'optionalOrValue' | 'in';

/** Functions that planners treat by themselves, because not all operands are evaluated or the cost differs from a call's. */
export const PLANNED_FUNCTIONS: ReadonlyMap<string, PlannedKind> = new Map<string, PlannedKind>([
  [LOGICAL_AND.name, 'and'],
  [LOGICAL_OR.name, 'or'],
  [CONDITIONAL.name, 'conditional'],
  [EQUALS.name, 'equals'],
  [NOT_EQUALS.name, 'notEquals'],
  [INDEX.name, 'index'],
  [IN.name, 'in'],
  ...OPTIONAL_PLANS,
]);

/** Functions that are computed at compile time when their argument is a constant. Source: cel-go overloads.go `IsTypeConversionFunction`. */
export const FOLDED_CONVERSIONS: ReadonlySet<string> = new Set(CONVERSIONS.map(({ name }) => name));

function testMatch(regex: Regex, [value]: readonly CelValue[]): CelValue {
  const text = textOf(value as CelValue);
  return text === undefined ? NO_SUCH_OVERLOAD : regex.test(text);
}

/** Functions whose second argument is a pattern: what they do once it is compiled, and what they cost where the overload is unknown. */
export const PATTERN_FUNCTIONS: ReadonlyMap<string, PatternFunction> = new Map<string, PatternFunction>([
  [MATCHES.name, { apply: testMatch, measure: undefined }],
  ...REGEX_APPLICATIONS,
]);
