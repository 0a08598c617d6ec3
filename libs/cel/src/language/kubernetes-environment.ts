import { makeEnvironment } from './environment.ts';
import { FUNCTIONS } from '../library/all.ts';
import { JSON_PATCH_FUNCTIONS } from '../library/kubernetes/json-patch.ts';
import { MUTATION_MESSAGES } from '../values/messages/mutation-messages.ts';
import { withCorePrices } from '../library/core-prices.ts';
import type { Minor } from '#kube';
import type { Environment, ExpressionUse } from './environment.ts';

/** Cache of environments, with at most four per minor. Its entries never change. */
const made = new Map<string, Environment>();

/**
 * Set of costs for calls at run time. `kubernetes`: the costs of Kubernetes and cel-go. `core`: the costs of cel-go alone, in which a call
 * of an unknown function costs 1. Rules always use `kubernetes`, policies since 1.32. Source: k8s.io/apiserver/pkg/cel/environment/base.go
 * `StrictCostOpt` (1.30).
 */
export type Pricing = 'kubernetes' | 'core';

/** Returns the environment of a Kubernetes minor. Environments are cached. */
export function environmentFor(minor: Minor, use: ExpressionUse, pricing: Pricing = 'kubernetes'): Environment {
  const key = `${minor} ${use} ${pricing}`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(pricing === 'core' ? withCorePrices(FUNCTIONS) : FUNCTIONS, minor, use);
    made.set(key, environment);
  }
  return environment;
}

/**
 * Returns the same environment as {@link environmentFor}, extended by the literals and functions of mutations: `Object{…}`, `JSONPatch{…}`,
 * `jsonpatch.escapeKey`.
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
