import { randomUUID } from 'node:crypto';
import { chunkSettings, supersededDefinitions, steadyNow } from '#evaluation';
import type { EvaluationRecord } from '#queue';
import { inSpan, traceparentOf } from '#telemetry';
import type { Caller } from '../caller.ts';
import { permittedOptions } from '../check-request.ts';
import { deadlineOf } from '../deadline.ts';
import type { DefinitionJudge } from '../judge/definition-judge.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { ServicePorts } from '../ports.ts';
import type { Refusals } from '../dispatch/refusals.ts';
import { storePolicies } from './store-policies.ts';
import type { Batch } from './batch.ts';

/** Dependencies of {@link describeEvaluation}. */
export interface DescribingParts {
  readonly ports: ServicePorts;
  readonly judge: DefinitionJudge;
  readonly refusals: Refusals;
}

/**
 * Prepares the evaluation of a batch. Computes the verdicts on the batch's definitions, stores its policies, and returns an
 * {@link EvaluationRecord}: the id, the settings and these verdicts. No object of the batch is evaluated before the record is returned.
 */
export async function describeEvaluation(
  { ports: { queue, limits }, judge, refusals }: DescribingParts,
  { definitions, policies, options: wanted, receivedAt }: Batch,
  detached: boolean,
  caller: Caller,
): Promise<Outcome<EvaluationRecord>> {
  const { owner, flow, span } = caller;
  const permitted = permittedOptions(wanted, caller.limits);
  if (permitted.kind !== 'answered') return permitted;
  const options = permitted.answer;
  const deadlineAt = deadlineOf(options, limits, receivedAt);
  const judged = await inSpan('judge definitions', span, { 'assay.definitions': definitions.length }, () =>
    judge.judgeAll(definitions, options, caller, { store: queue.definitions, deadlineAt }),
  );
  if (judged.kind !== 'answered') return judged;
  const superseded = supersededDefinitions(judged.answer);
  const standing = definitions.filter((_, i) => !superseded.has(i));
  const stored = await storePolicies(policies, standing, options, { queue, refusals, flow, deadlineAt });
  if (stored.kind !== 'answered') return stored;
  const policyText = stored.answer;
  const reviewed = policyText && (await judge.reviewPolicies(policyText, options, caller, deadlineAt));
  if (reviewed && reviewed.kind !== 'answered') return reviewed;
  const policyReports = reviewed?.answer;
  const traceparent = span && traceparentOf(span);
  const settings = chunkSettings(judged.answer, { options, policies: policyText?.digest, deadlineAt, traceparent });
  const itemMs = await queue.work.expectedItemMs(settings.definitions.map(({ digest }) => digest));
  // 122 random bits: an id is not guessed.
  const id = randomUUID();
  return answered({
    id,
    createdAt: steadyNow(),
    detached,
    owner,
    flow,
    itemMs,
    settings,
    definitions: judged.answer,
    ...(policyReports && { policyReports }),
  });
}
