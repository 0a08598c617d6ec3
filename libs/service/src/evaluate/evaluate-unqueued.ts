import type { ChunkResult, DefinitionReport, Envelope, PolicyReport } from '#documents';
import { checkPolicyBytes } from '../check-request.ts';
import { prepareBatch, reviewPolicies } from '../judge/prepared-batch.ts';
import type { PreparingOptions } from '../judge/prepared-batch.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Engine } from '../ports.ts';
import { cutRuns, asSingleBlock } from './cut-runs.ts';
import { evaluateRuns } from './evaluate-runs.ts';

/** Running evaluation that bypasses the queue. Its caller must be the only user of the engine. */
export interface UnqueuedEvaluation {
  /**
   * Reports on the definitions, in input order. A definition may request a name, such as a kind or plural, that
   * an earlier definition of its group has. The report on the later definition then has the condition `Established` with status False.
   */
  readonly definitions: readonly DefinitionReport[];
  /** Answers of a server to the creation of each policy; undefined if there are no policies or if the review was stopped. Never rejects. */
  readonly reviewed: Promise<readonly PolicyReport[] | undefined>;
  /**
   * Results of the evaluation's runs of consecutive items, in input order. Runs are evaluated only as fast as the results are read. At most
   * one run per engine thread is evaluated at a time.
   */
  readonly results: AsyncGenerator<ChunkResult>;
}

/** Options of an evaluation whose verdicts on the definitions are computed first. */
type PreparationOptions = Pick<PreparingOptions, 'measuredFrom' | 'signal'>;

/** Evaluation that already has the verdicts on its definitions, and whose objects are evaluated in several calls. */
export interface PreparedUnqueuedEvaluation extends Omit<UnqueuedEvaluation, 'results'> {
  /** Sizes of the definitions as JSON, in bytes. A size that was not requested, or of a definition that is not readable, is undefined. */
  readonly jsonBytes: readonly (number | undefined)[];
  /** Computes the verdicts on some of the evaluation's objects. In each call, the indices of the objects begin at 0. */
  readonly judge: (objects: Envelope['objects']) => AsyncGenerator<ChunkResult>;
}

/**
 * Evaluates a request without a queue, for a single user who waits and uses the engine alone. Computes the verdicts on the definitions, and
 * then on the objects. Each thread evaluates one stretch of consecutive objects at a time. Items that `signal` stops get the outcome
 * `cancelled`.
 */
export async function evaluateUnqueued(engine: Engine, envelope: Envelope, signal?: AbortSignal): Promise<Outcome<UnqueuedEvaluation>> {
  const prepared = await prepareUnqueued(engine, envelope, { signal });
  if (prepared.kind !== 'answered') return prepared;
  const { judge, definitions, reviewed } = prepared.answer;
  return answered({ definitions, reviewed, results: judge(envelope.objects) });
}

/**
 * Computes the verdicts on the definitions of a batch without a queue. The result has a function `judge`, to which the caller passes the
 * objects of the batch in several calls. This is for batches with more objects than fit into memory at once.
 */
export async function prepareUnqueued(
  engine: Engine,
  envelope: Omit<Envelope, 'objects'>,
  { measuredFrom, signal }: PreparationOptions = {},
): Promise<Outcome<PreparedUnqueuedEvaluation>> {
  // Like a server, Assay rejects a definition that is too large without rejecting the others. So this line checks only the size of the
  // policies.
  const problem = checkPolicyBytes(envelope);
  if (problem) return problem;
  const prepared = await prepareBatch(engine, envelope, { measuredFrom, signal });
  const judge = (objects: Envelope['objects']): AsyncGenerator<ChunkResult> =>
    evaluateRuns(engine, prepared, cutRuns(asSingleBlock(objects)), { signal });
  const { policies } = prepared;
  // The review of the policies runs in parallel with the first runs.
  const how = { typeChecking: true, fieldValidation: envelope.options.fieldValidation, signal };
  const reviewed = policies ? reviewPolicies(engine, policies, how) : Promise.resolve(undefined);
  return answered({ definitions: prepared.reports, jsonBytes: prepared.judged.map(({ jsonBytes }) => jsonBytes), reviewed, judge });
}
