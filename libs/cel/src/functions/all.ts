import type { FunctionDeclaration } from './define.ts';
import { MAP_INSERT } from './extensions/comprehensions.ts';
import { FORMAT, QUOTE } from './extensions/format.ts';
import { LIST_FUNCTIONS } from './extensions/lists.ts';
import { SET_FUNCTIONS } from './extensions/sets.ts';
import { JOIN, STRING_FUNCTIONS } from './extensions/strings.ts';
import { FIND, FIND_ALL } from './kubernetes/regex.ts';
import { OPTIONAL_FUNCTIONS } from './optionals.ts';
import { STANDARD_FUNCTIONS } from './standard.ts';

/**
 * Every function of the Kubernetes environment. Several declarations may share a name (`indexOf` of strings and of lists): their overloads are
 * those of one function, in this order. Source of the order: k8s.io/apiserver/pkg/cel/environment/base.go (1.37).
 */
export const FUNCTIONS: readonly FunctionDeclaration[] = [
  ...STANDARD_FUNCTIONS,
  FIND,
  FIND_ALL,
  ...OPTIONAL_FUNCTIONS,
  ...STRING_FUNCTIONS,
  FORMAT,
  QUOTE,
  JOIN,
  ...SET_FUNCTIONS,
  MAP_INSERT,
  ...LIST_FUNCTIONS,
];
