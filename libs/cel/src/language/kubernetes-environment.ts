import { makeEnvironment } from './environment.ts';
import { FUNCTIONS } from '../library/all.ts';
import { JSON_PATCH_FUNCTIONS } from '../library/kubernetes/json-patch.ts';
import { MUTATION_MESSAGES } from '../values/messages/mutation-messages.ts';
import { withCorePrices } from '../library/core-prices.ts';
import type { Minor } from '#kube';
import type { Environment, ExpressionUse } from './environment.ts';

/**
 * Cache of environments. The key consists of the Kubernetes minor version, the use (`new` or `stored` expressions), and either the cost
 * formulas or `mutation`. Environments never change.
 */
const made = new Map<string, Environment>();

/**
 * Cost formulas for function calls at run time. `kubernetes`: the formulas of Kubernetes and cel-go. `core`: the formulas of cel-go alone,
 * in which a call without a formula costs 1. Rules always use `kubernetes`. Policies use it since 1.32. Source:
 * k8s.io/apiserver/pkg/cel/environment/base.go `StrictCostOpt` (1.30).
 */
export type CostFormulas = 'kubernetes' | 'core';

/**
 * Returns the CEL environment of a Kubernetes minor version. `use` states if it is for new or for stored expressions. Environments are
 * cached by all three arguments.
 */
export function environmentFor(minor: Minor, use: ExpressionUse, formulas: CostFormulas = 'kubernetes'): Environment {
  const key = `${minor} ${use} ${formulas}`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(formulas === 'core' ? withCorePrices(FUNCTIONS) : FUNCTIONS, minor, use);
    made.set(key, environment);
  }
  return environment;
}

/**
 * Returns the environment of {@link environmentFor}, extended by the literals and functions of mutating policies: `Object{…}`,
 * `JSONPatch{…}`, `jsonpatch.escapeKey`.
 */
export function mutationEnvironmentFor(minor: Minor, use: ExpressionUse): Environment {
  const key = `${minor} ${use} mutation`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment([...FUNCTIONS, ...JSON_PATCH_FUNCTIONS], minor, use, MUTATION_MESSAGES);
    made.set(key, environment);
  }
  return environment;
}
