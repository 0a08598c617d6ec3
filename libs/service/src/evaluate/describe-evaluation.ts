import { randomUUID } from 'node:crypto';
import { chunkSettings } from '#evaluation';
import type { EvaluationRecord } from '#queue';
import { inSpan, traceparentOf } from '#telemetry';
import type { Caller } from '../caller.ts';
import { permittedOptions } from '../check-request.ts';
import { deadlineOf, untilDeadline } from '../deadline.ts';
import type { DefinitionJudge } from '../judge/definition-judge.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { ServicePorts } from '../ports.ts';
import type { Batch } from './batch.ts';

/** Judges a batch's definitions, and says all that is to be known of its evaluation before the first item is judged. */
export async function describeEvaluation(
  { queue, limits }: ServicePorts,
  judge: DefinitionJudge,
  { definitions, options: wanted, receivedAt }: Batch,
  detached: boolean,
  { owner, flow, limits: callerLimits, engine, span, signal }: Caller,
): Promise<Outcome<EvaluationRecord>> {
  const permitted = permittedOptions(wanted, callerLimits);
  if (permitted.kind !== 'answered') return permitted;
  const options = permitted.answer;
  const deadlineAt = deadlineOf(options, limits, receivedAt);
  const judged = await inSpan('judge definitions', span, { 'assay.definitions': definitions.length }, () =>
    judge.judgeAll(definitions, options, engine, () => untilDeadline(signal, deadlineAt)),
  );
  if (judged.kind !== 'answered') return judged;
  const settings = chunkSettings(judged.answer, { options, deadlineAt, traceparent: span && traceparentOf(span) });
  const itemMs = await queue.work.expectedItemMs(settings.definitions.map(({ digest }) => digest));
  // 122 random bits: an id is not guessed.
  const id = randomUUID();
  return answered({ id, createdAt: Date.now(), detached, owner, flow, itemMs, settings, definitions: judged.answer });
}
