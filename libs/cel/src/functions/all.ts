import type { FunctionDeclaration } from './define.ts';
import { STANDARD_FUNCTIONS } from './standard.ts';

/**
 * Every function of the Kubernetes environment. Several declarations may share a name (`indexOf` of strings and of lists): their overloads are
 * those of one function, in this order. Source of the order: k8s.io/apiserver/pkg/cel/environment/base.go (1.37).
 */
export const FUNCTIONS: readonly FunctionDeclaration[] = [...STANDARD_FUNCTIONS];
