import { makeEnvironment } from './environment.ts';
import { FUNCTIONS } from '../library/all.ts';
import { JSON_PATCH_FUNCTIONS } from '../library/kubernetes/json-patch.ts';
import { MUTATION_MESSAGES } from '../values/messages/mutation-messages.ts';
import { withCorePrices } from '../library/core-prices.ts';
import type { Minor } from '#kube';
import type { Environment, ExpressionUse } from './environment.ts';

/** Environments that were made: four a minor at most, and nothing of them ever changes. */
const made = new Map<string, Environment>();

/**
 * Who prices calls at run time: Kubernetes and cel-go, or cel-go alone, to which a call of a function that it does not know costs 1. Rules have
 * always had the former, policies since 1.32. Source: k8s.io/apiserver/pkg/cel/environment/base.go `StrictCostOpt` (1.30).
 */
export type Pricing = 'kubernetes' | 'core';

/** The environment of a Kubernetes minor; made once. */
export function environmentFor(minor: Minor, use: ExpressionUse, pricing: Pricing = 'kubernetes'): Environment {
  const key = `${minor} ${use} ${pricing}`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(pricing === 'core' ? withCorePrices(FUNCTIONS) : FUNCTIONS, minor, use);
    made.set(key, environment);
  }
  return environment;
}

/** As {@link environmentFor}, with the literals and functions of mutations: `Object{…}`, `JSONPatch{…}`, `jsonpatch.escapeKey`. */
export function mutationEnvironmentFor(minor: Minor, use: ExpressionUse): Environment {
  const key = `${minor} ${use} mutation`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment([...FUNCTIONS, ...JSON_PATCH_FUNCTIONS], minor, use, MUTATION_MESSAGES);
    made.set(key, environment);
  }
  return environment;
}
