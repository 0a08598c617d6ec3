import { policyWork } from '#benchmark';
import type { PolicyWork } from '#benchmark';
import { latestServer } from '#kube';
import { buildRequest, compileSubject, probePolicy, requestFacts, serverKinds } from '#policy';
import type { PolicyProbe } from '#policy';
import type { PolicyCase } from './policy-cases.ts';

/** Case with Assay's verdict, and the numbers of steps from which its time is predicted. */
export interface JudgedCase {
  readonly probe: PolicyProbe;
  readonly work: PolicyWork;
}

/** Judges the request of a case with the engine that counts. Throws if the case is invalid. */
export function judgeCase({ id, subject, object }: PolicyCase): JudgedCase {
  const server = latestServer();
  const built = buildRequest({ object }, serverKinds(server.minor, subject.definitions), server.minor);
  if (!built.ok) throw new Error(`${id}: ${built.error}`);
  const { request } = built;
  const compiled = compileSubject(subject, { request, server, authorizer: [] });
  if (typeof compiled === 'string') throw new Error(`${id}: ${compiled}`);
  const probe = probePolicy(compiled.policy, request, compiled.world);
  return { probe, work: policyWork(requestFacts(probe, compiled, request)) };
}

/** Returns the cost of each evaluation, by run, in the order of the policy oracle. */
export const costsOf = ({ runs }: PolicyProbe): readonly (readonly number[])[] =>
  runs.map(({ evaluations }) => evaluations.map(({ cost }) => cost));
