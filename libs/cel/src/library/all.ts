import type { FunctionDeclaration, PatternFunction, PlannedKind } from './define.ts';
import { MAP_INSERT } from './extensions/comprehensions.ts';
import { FORMAT, QUOTE } from './extensions/format.ts';
import { LIST_FUNCTIONS } from './extensions/lists.ts';
import { SET_FUNCTIONS } from './extensions/sets.ts';
import { JOIN_LIST, STRING_FUNCTIONS } from './extensions/strings.ts';
import { AUTHORIZER_FUNCTIONS, AUTHORIZER_SELECTORS } from './kubernetes/authorizer.ts';
import { CIDR_FUNCTIONS } from './kubernetes/cidr.ts';
import { FORMAT_FUNCTIONS } from './kubernetes/format.ts';
import { IP_FUNCTIONS } from './kubernetes/ip.ts';
import { INCLUDES, KUBERNETES_LIST_FUNCTIONS } from './kubernetes/lists.ts';
import { QUANTITY_FUNCTIONS } from './kubernetes/quantity.ts';
import { FIND, FIND_ALL } from './kubernetes/regex.ts';
import { SEMVER_FUNCTIONS } from './kubernetes/semver.ts';
import { URL_FUNCTIONS } from './kubernetes/urls.ts';
import { OPTIONAL_FUNCTIONS } from './optionals.ts';
import { STANDARD_FUNCTIONS } from './standard.ts';

/**
 * All functions of the Kubernetes environment. Several declarations may have the same name, such as `indexOf` of strings and of lists. The
 * overloads of such declarations are combined into one function, in this order. Source of the order:
 * k8s.io/apiserver/pkg/cel/environment/base.go (1.37).
 */
export const FUNCTIONS: readonly FunctionDeclaration[] = [
  ...STANDARD_FUNCTIONS,
  ...URL_FUNCTIONS,
  FIND,
  FIND_ALL,
  ...KUBERNETES_LIST_FUNCTIONS,
  ...AUTHORIZER_FUNCTIONS,
  ...OPTIONAL_FUNCTIONS,
  ...QUANTITY_FUNCTIONS,
  ...STRING_FUNCTIONS,
  FORMAT,
  QUOTE,
  JOIN_LIST,
  ...SET_FUNCTIONS,
  ...IP_FUNCTIONS,
  ...CIDR_FUNCTIONS,
  ...FORMAT_FUNCTIONS,
  ...AUTHORIZER_SELECTORS,
  MAP_INSERT,
  ...SEMVER_FUNCTIONS,
  ...LIST_FUNCTIONS,
  INCLUDES,
];

/**
 * Functions and operators whose calls the interpreter and the code generator handle in a special way, by name. They are special because not
 * all operands are evaluated, or because the cost differs from the cost of a normal call.
 */
export const PLANNED_FUNCTIONS: ReadonlyMap<string, PlannedKind> = new Map(
  FUNCTIONS.flatMap(({ name, planned }) => (planned === undefined ? [] : [[name, planned] as const])),
);

/** Names of the functions whose calls are computed in advance, during planning, if the argument is a constant. */
export const FOLDED_CONVERSIONS: ReadonlySet<string> = new Set(FUNCTIONS.filter(({ folds }) => folds).map(({ name }) => name));

/**
 * Implementations and run-time costs of the functions whose second argument is a pattern, by function name. They are used if the pattern is
 * compiled in advance.
 */
export const PATTERN_FUNCTIONS: ReadonlyMap<string, PatternFunction> = new Map(
  FUNCTIONS.flatMap(({ name, pattern }) => (pattern === undefined ? [] : [[name, pattern] as const])),
);
