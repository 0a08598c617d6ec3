import type { ChunkResult, DefinitionReport, Envelope, PolicyReport } from '#evaluation';
import { settleNames } from '#evaluation';
import { checkDefinitions, checkPolicyBytes } from '../check-request.ts';
import { judgeChunk, prepareBatch } from '../judge/prepared-batch.ts';
import { reviewPolicies } from '../judge/review-policies.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { Engine } from '../ports.ts';
import { runsInOrder } from '../run/runs-in-order.ts';
import { oneBlock } from './cut-runs.ts';

/** An evaluation whose caller has the engine for itself. */
export interface UnqueuedEvaluation {
  /**
   * Reports on the definitions, in input order. A definition that requests a name of an earlier definition is reported as not established.
   */
  readonly definitions: readonly DefinitionReport[];
  /** Answers of a server to the creation of each policy; undefined if there are no policies or if the review was stopped. Never rejects. */
  readonly reviewed: Promise<readonly PolicyReport[] | undefined>;
  /** The results of its runs, in input order. The reader sets the pace: no more runs are under way than the engine has threads. */
  readonly results: AsyncGenerator<ChunkResult>;
}

/** An evaluation whose definitions are judged, and whose objects come in parts. */
export interface PreparedEvaluation extends Omit<UnqueuedEvaluation, 'results'> {
  /** Judges some of its objects; their indices begin at 0. */
  readonly judge: (objects: Envelope['objects']) => AsyncGenerator<ChunkResult>;
}

/**
 * Evaluates without a queue, for a single user who waits and uses the engine alone. Steps: judge the definitions → judge the objects, one
 * run per thread. Runs that `signal` stops end as cancelled.
 */
export async function evaluateUnqueued(engine: Engine, envelope: Envelope, signal?: AbortSignal): Promise<Outcome<UnqueuedEvaluation>> {
  const prepared = await prepareUnqueued(engine, envelope, signal);
  if (prepared.kind !== 'answered') return prepared;
  const { judge, ...rest } = prepared.answer;
  return answered({ ...rest, results: judge(envelope.objects) });
}

/** Prepares an evaluation like {@link evaluateUnqueued} but without objects, for more objects than should be in memory at once. */
export async function prepareUnqueued(
  engine: Engine,
  envelope: Omit<Envelope, 'objects'>,
  signal?: AbortSignal,
): Promise<Outcome<PreparedEvaluation>> {
  const problem = checkDefinitions(envelope.definitions, { maxDefinitions: Infinity }) ?? checkPolicyBytes(envelope);
  if (problem) return problem;
  const prepared = await prepareBatch(engine, envelope, { signal });
  const judge = (objects: Envelope['objects']): AsyncGenerator<ChunkResult> =>
    runsInOrder(oneBlock(objects), engine.threads, (run) => judgeChunk(engine, prepared, run, signal));
  const { policies } = prepared;
  // It goes on beside the first runs.
  const reviewed = policies ? reviewPolicies(engine, policies, { typeChecking: false, signal }) : Promise.resolve(undefined);
  return answered({ definitions: settleNames(prepared.judged.map(({ report }) => report)), reviewed, judge });
}
