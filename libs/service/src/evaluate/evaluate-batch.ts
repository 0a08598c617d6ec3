import { splitBatch } from '#evaluation';
import type { ChunkResult } from '#evaluation';
import { isRefusal } from '#queue';
import type { EvaluationRecord, Progress, Refusal } from '#queue';
import { inSpan } from '#telemetry';
import type { Caller } from '../caller.ts';
import type { Refusals } from '../dispatch/refusals.ts';
import type { DefinitionJudge } from '../judge/definition-judge.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import type { ServicePorts } from '../ports.ts';
import type { Batch } from './batch.ts';
import { cancelEvaluation } from './cancel-evaluation.ts';
import { cutRuns, inTurn } from './cut-runs.ts';
import { describeEvaluation } from './describe-evaluation.ts';
import { queueArriving, queueWhole, runsAhead } from './queue-runs.ts';
import type { QueuedRun } from './queue-runs.ts';
import { failureOf, readResult, readResults } from './read-results.ts';
import type { ChunkAnswer } from './read-results.ts';

/** Evaluation whose caller waits for the results. */
export interface BatchAnswer {
  readonly record: EvaluationRecord;
  /**
   * Results of the evaluation's chunks, in input order, as they become available. For an evaluation with one chunk, a list with its result.
   */
  readonly results: AsyncIterable<ChunkResult> | readonly ChunkResult[];
}

/** Runs (stretches of consecutive items) that are already queued, or an iterable that yields each run when it is queued. */
type QueuedRuns = AsyncIterable<QueuedRun> | readonly QueuedRun[];
/** Queued runs (stretches of consecutive items) of a batch, or the reason why no run was queued. */
type QueuedBatch = { readonly queued: QueuedRuns } | { readonly refusal: Refusal };

/**
 * Evaluation of batches. It first computes the verdicts on the definitions. Then it cuts the items into runs of consecutive items, and
 * queues each run as a chunk. Finally it reads the results in input order.
 */
export class BatchEvaluation {
  readonly #ports: ServicePorts;
  readonly #judge: DefinitionJudge;
  readonly #refusals: Refusals;

  constructor(ports: ServicePorts, judge: DefinitionJudge, refusals: Refusals) {
    this.#ports = ports;
    this.#judge = judge;
    this.#refusals = refusals;
  }

  /** Evaluates a batch whose caller waits for the results. The evaluation ends when the caller's signal is aborted. */
  async evaluate(batch: Batch, caller: Caller): Promise<Outcome<BatchAnswer>> {
    const begun = await this.#begin(batch, false, caller);
    if (begun.kind !== 'answered') return begun;
    const { record, runs } = begun.answer;
    const only = onlyOf(runs);
    return inSpan('wait for verdicts', caller.span, {}, () =>
      only
        ? whenJudged(this.#ports, record, only, caller.signal)
        : whenFirstIsJudged(this.#ports, record, readResults(this.#ports, record, runs, caller.signal)),
    );
  }

  /** Starts an evaluation that continues without its caller. The caller fetches the results later. */
  async begin(batch: Batch, caller: Caller): Promise<Outcome<EvaluationRecord>> {
    const begun = await this.#begin(batch, true, caller);
    return begun.kind === 'answered' ? answered(begun.answer.record) : begun;
  }

  /** Returns the progress of a detached evaluation, or undefined if the evaluation is unknown. */
  progressOf({ id }: EvaluationRecord): Promise<Progress | undefined> {
    return this.#ports.durable.results.progress(id);
  }

  async #begin(
    batch: Batch,
    detached: boolean,
    caller: Caller,
  ): Promise<Outcome<{ readonly record: EvaluationRecord; readonly runs: QueuedRuns }>> {
    // An evaluation of the durable queue is everybody's already: nothing of it is offered.
    const ports = detached ? { ...this.#ports, queue: this.#ports.durable, overflow: undefined } : this.#ports;
    const described = await describeEvaluation({ ports, judge: this.#judge, refusals: this.#refusals }, batch, detached, caller);
    caller.engine.leave();
    if (described.kind !== 'answered') return described;
    const record = described.answer;
    const queued = await inSpan('enqueue', caller.span, batch.arrival === 'whole' ? { 'assay.items': batch.objects.length } : {}, () =>
      queueOrForget(ports, batch, record, caller),
    );
    if ('refusal' in queued) return this.#refusals.refuse(record.flow.level, queued.refusal, 'evaluation');
    this.#ports.telemetry.metrics.counters.evaluations.add(1, { end: 'accepted' });
    if (!detached) this.#endWith(caller.signal, record.id);
    return answered({ record, runs: queued.queued });
  }

  #endWith(signal: AbortSignal, id: string): void {
    const cancel = (): void => void cancelEvaluation(this.#ports, id).catch(() => undefined);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }
}

/**
 * Queues a batch. If the storage does not answer, it may still have accepted the evaluation. The evaluation is then deleted, because no
 * client knows its id.
 */
async function queueOrForget(ports: ServicePorts, batch: Batch, record: EvaluationRecord, caller: Caller): Promise<QueuedBatch> {
  try {
    return await queueBatch(ports, batch, record, caller);
  } catch (error) {
    const forget = async (): Promise<void> => ports.queue.results.forget(record.id);
    void forget().catch(() => undefined);
    throw error;
  }
}

async function queueBatch(
  { queue, overflow }: ServicePorts,
  batch: Batch,
  record: EvaluationRecord,
  { engine }: Caller,
): Promise<QueuedBatch> {
  const { work } = queue;
  const { itemMs } = record;
  const whole = batch.arrival === 'whole' ? splitBatch(batch.objects, itemMs, work.runLimits) : undefined;
  // A long batch is queued run by run, so that others can take of it.
  const isShared = whole !== undefined && whole.length > runsAhead(engine.threads) && overflow !== undefined && overflow.window(record) > 0;
  if (whole !== undefined && !isShared) return queueWhole(work, record, whole);
  const answer = await work.accept(record);
  if (isRefusal(answer)) return { refusal: answer };
  const runs = batch.arrival === 'whole' ? inTurn(whole ?? []) : cutRuns(batch.blocks, itemMs);
  return { queued: queueArriving({ queue, record, overflow, threads: engine.threads }, runs) };
}

/** Returns the run if the whole batch is one queued run (stretch of consecutive items), which is usual. Otherwise returns undefined. */
const onlyOf = (runs: QueuedRuns): QueuedRun | undefined => (Array.isArray(runs) && runs.length === 1 ? (runs[0] as QueuedRun) : undefined);

/**
 * Waits for the answer to the only run (stretch of consecutive items) of a batch. If no object of the run was evaluated, the failure of the
 * run becomes the answer to the request.
 */
async function whenJudged(
  ports: ServicePorts,
  record: EvaluationRecord,
  run: QueuedRun,
  signal: AbortSignal,
): Promise<Outcome<BatchAnswer>> {
  const answer = await readResult(ports, record, run, signal);
  const failure = failureOf(answer);
  if (failure?.kind === 'lost') countLost(ports);
  return failure ?? answered({ record, results: [answer.result] });
}

const countLost = ({ telemetry }: ServicePorts): void => telemetry.metrics.counters.evaluations.add(1, { end: 'lost' });

/**
 * Waits for the answer to the first run (stretch of consecutive items) of a batch. If no object of this run was evaluated, the failure of
 * the run becomes the answer to the whole request.
 */
async function whenFirstIsJudged(
  ports: ServicePorts,
  record: EvaluationRecord,
  answers: AsyncGenerator<ChunkAnswer>,
): Promise<Outcome<BatchAnswer>> {
  const first = await answers.next();
  const failure = first.done ? undefined : failureOf(first.value);
  if (failure) {
    if (failure.kind === 'lost') countLost(ports);
    await answers.return(undefined);
    return failure;
  }
  return answered({ record, results: resultsOf(first, answers) });
}

async function* resultsOf(first: IteratorResult<ChunkAnswer>, rest: AsyncGenerator<ChunkAnswer>): AsyncGenerator<ChunkResult> {
  try {
    if (first.done) return;
    yield first.value.result;
    for await (const { result } of rest) yield result;
  } finally {
    await rest.return(undefined);
  }
}
