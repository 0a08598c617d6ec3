import { makeEnvironment } from './environment.ts';
import { FUNCTIONS } from '../library/all.ts';
import type { Minor } from '#kube';
import type { Environment, ExpressionUse } from './environment.ts';

/** Environments that were made: two a minor at most, and nothing of them ever changes. */
const made = new Map<string, Environment>();

/** The environment of a Kubernetes minor; made once. */
export function environmentFor(minor: Minor, use: ExpressionUse): Environment {
  const key = `${minor} ${use}`;
  let environment = made.get(key);
  if (environment === undefined) {
    environment = makeEnvironment(FUNCTIONS, minor, use);
    made.set(key, environment);
  }
  return environment;
}
