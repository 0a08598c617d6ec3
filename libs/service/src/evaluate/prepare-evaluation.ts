import { randomUUID } from 'node:crypto';
import { areOwn, steadyNow } from '#documents';
import type { DefinitionText, DocumentSlice, KeptSlice, PolicyReport } from '#documents';
import type { DefinitionHolder, DefinitionStore } from '#jobs';
import { inSpan, traceparentOf } from '#telemetry';
import type { Caller } from '../caller.ts';
import { checkPolicyBytes, permittedOptions } from '../check-request.ts';
import { deadlineOf } from '../deadline.ts';
import type { Refusals } from '#runner';
import type { DefinitionJudge } from '../judge/definition-judge.ts';
import { batchOf } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import { answered, refused } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';
import type { ServiceLimits } from '../ports.ts';
import type { Batch } from './batch.ts';

/** Evaluation whose definitions and policies have verdicts, and whose objects have none yet. */
export interface PreparedEvaluation {
  readonly id: string;
  /** Time at which the evaluation was created, in epoch ms. */
  readonly createdAt: number;
  readonly prepared: PreparedBatch;
  /** Answers that a server would give to the creation of the policies; undefined if there are no policies, or no time for their review. */
  readonly policyReports: readonly PolicyReport[] | undefined;
}

/**
 * Prepares the evaluation of a batch: checks its options, and computes the verdicts on its definitions and policies. No object of the batch
 * is evaluated before.
 */
export async function prepareEvaluation(
  judge: DefinitionJudge,
  limits: ServiceLimits,
  { definitions, policies, options: wanted, receivedAt }: Batch,
  caller: Caller,
): Promise<Outcome<PreparedEvaluation>> {
  const permitted = permittedOptions(wanted, caller.limits);
  if (permitted.kind !== 'answered') return permitted;
  const options = permitted.answer;
  const deadlineAt = deadlineOf(options, limits, receivedAt);
  const judged = await inSpan('judge definitions', caller.span, { 'assay.definitions': definitions.length }, () =>
    judge.judgeAll(definitions, options, caller, deadlineAt),
  );
  if (judged.kind !== 'answered') return judged;
  const envelope = { definitions, ...policies, options };
  const tooLarge = checkPolicyBytes(envelope);
  if (tooLarge) return tooLarge;
  const traceparent = caller.span && traceparentOf(caller.span);
  const prepared = batchOf(envelope, judged.answer, { deadlineAt, traceparent });
  const reviewed = prepared.policies && (await judge.reviewPolicies(prepared.policies, options, caller, deadlineAt));
  if (reviewed && reviewed.kind !== 'answered') return reviewed;
  // The id has 122 random bits, so nobody can guess it.
  return answered({ id: randomUUID(), createdAt: steadyNow(), prepared, policyReports: reviewed?.answer });
}

/**
 * Stores the texts of a batch until the deadline of its evaluation, so that other processes can load them. Returns a refusal with status
 * 429 if the storage of the flow is full.
 */
export async function storeTexts(
  { texts, settings }: PreparedBatch,
  { flow }: Caller,
  { definitions, refusals }: { readonly definitions: DefinitionStore; readonly refusals: Refusals },
): Promise<Declined | undefined> {
  const holder: DefinitionHolder = { flow, leftMs: Math.max(0, settings.deadlineAt - steadyNow()) };
  for (const text of texts) {
    const { keptAs }: DocumentSlice & Partial<KeptSlice> = text.slice;
    const refusal = await definitions.put(ownText(text), { ...holder, keptAs });
    if (refusal) return refused(refusals.refuse(flow.level, refusal, 'evaluation'));
  }
  return undefined;
}

/** Returns a text whose bytes are no part of a larger buffer, such as a body. */
function ownText(text: DefinitionText): DefinitionText {
  const { bytes, notation } = text.slice;
  return { ...text, slice: { bytes: areOwn(bytes) ? bytes : new Uint8Array(bytes), notation } };
}
