import { CHUNK_LIMITS, chunkBytes, hasBudget, JOB_PART_LIMITS, splitBatch, steadyNow, ownsBuffer } from '#documents';
import type { ChunkResult, ChunkSettings, DocumentSlice, DefinitionText, KeptSlice, PolicyReport } from '#documents';
import { timeoutStatus } from '#kube';
import { isRefusal } from '#runner/flow';
import type { EvaluationForms, EvaluationRecord, DefinitionHolder, DefinitionStore } from '#jobs';
import { inSpan, traceparentOf } from '#telemetry';
import type { Caller, ServiceLimits, ServicePorts } from '../ports.ts';
import { DeadlineSignal, deadlineOf } from '../deadline.ts';
import { submitJob, submittedJob } from '../jobs/owned-jobs.ts';
import type { StoredJob } from '../jobs/owned-jobs.ts';
import { recordRun } from '../run/record-run.ts';
import type { Refusals, BatchEngine } from '#runner';
import type { DefinitionJudge } from '../judge/definition-judge.ts';
import { answered, declined, refused } from '../outcome.ts';
import type { Declined, Outcome } from '../outcome.ts';
import type { Batch, WholeBatch } from './batch.ts';
import { cutRuns, asAsyncIterable } from './cut-runs.ts';
import { evaluateRuns, runEvaluator } from './evaluate-runs.ts';
import type { RunsOptions } from './evaluate-runs.ts';
import { randomUUID } from 'node:crypto';
import { checkPolicyBytes, permittedOptions } from '../check-request.ts';
import { batchOf } from '../judge/prepared-batch.ts';
import type { PreparedBatch } from '../judge/prepared-batch.ts';

/** Evaluation with the verdicts on its definitions, as answers and audit events report it. */
export type EvaluationHead = Pick<EvaluationRecord, 'id' | 'settings' | 'definitions' | 'policyReports'>;

/** Answer to a caller who waits: the evaluation, and the results of its runs. */
export interface BatchAnswer {
  readonly evaluation: EvaluationHead;
  /**
   * Results of the evaluation's runs of consecutive items, in input order, as they become available. For an evaluation with one run, a list
   * with its result.
   */
  readonly results: AsyncIterable<ChunkResult> | readonly ChunkResult[];
}

/** Evaluation of batches: computes the verdicts on the definitions, then on the objects, run by run of consecutive items. */
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
    const { limits, telemetry } = this.#ports;
    const outcome = await prepareEvaluation(this.#judge, limits, batch, caller);
    if (outcome.kind !== 'answered') return outcome;
    const evaluation = outcome.answer;
    const opened = this.#open(batch, evaluation, caller);
    if (opened.kind !== 'answered') return opened;
    telemetry.metrics.counters.evaluations.add(1, { end: 'accepted' });
    const running = new RunningEvaluation(this.#ports, evaluation, opened.answer.engine, caller);
    return inSpan('wait for verdicts', caller.span, {}, () => running.results(opened.answer.runs));
  }

  /** Starts an evaluation that continues without its caller. The caller fetches the results later. */
  async begin(batch: WholeBatch, caller: Caller): Promise<Outcome<StoredJob<EvaluationForms>>> {
    const { limits, telemetry, durable } = this.#ports;
    const outcome = await prepareEvaluation(this.#judge, limits, batch, caller);
    if (outcome.kind !== 'answered') return outcome;
    caller.engine.leaveQueue();
    const { prepared } = outcome.answer;
    const full = await storeTexts(prepared, caller, { definitions: durable.definitions, refusals: this.#refusals });
    if (full) return full;
    const record = recordOf(outcome.answer, caller);
    const parts = this.#partsOf(batch.objects, prepared.settings);
    const taken = await inSpan('enqueue', caller.span, { 'assay.items': batch.objects.length }, () =>
      submitJob(durable.jobs, record, parts),
    );
    if (isRefusal(taken)) return refused(this.#refusals.refuse(record.flow.level, taken, 'evaluation'));
    telemetry.metrics.counters.evaluations.add(1, { end: 'accepted' });
    return answered(submittedJob(record, parts.length));
  }

  /** Divides the objects of a job into parts. Their results are stored part by part, so parts are short if the time of objects is unknown. */
  #partsOf(objects: readonly DocumentSlice[], { definitions }: ChunkSettings): readonly (readonly DocumentSlice[])[] {
    const { prices } = this.#ports;
    const digests = definitions.map(({ digest }) => digest);
    return splitBatch(objects, prices.priceOf(digests), prices.knows(digests) ? JOB_PART_LIMITS : CHUNK_LIMITS);
  }

  /** Opens the batch at the engine, and cuts its objects into runs. */
  #open(batch: Batch, evaluation: PreparedEvaluation, caller: Caller): Outcome<BegunBatch> {
    const { prices } = this.#ports;
    const { settings } = evaluation.prepared;
    const digests = settings.definitions.map(({ digest }) => digest);
    const itemMs = prices.priceOf(digests);
    const whole = batch.arrival === 'whole' ? splitBatch(batch.objects, itemMs) : undefined;
    const size = whole && { runs: whole.length, bytes: chunkBytes((batch as WholeBatch).objects) };
    const priced = digests.length === 1 ? digests[0] : undefined;
    const opened = caller.engine.openBatch({ itemMs, priced, isAlone: hasBudget(settings), whole: size });
    if (opened.kind === 'full') return refused(opened.status);
    const { engine } = opened;
    return answered({
      engine,
      runs: whole ?? cutRuns((batch as Extract<Batch, { arrival: 'arriving' }>).blocks, itemMs, engine.runLimits),
    });
  }
}

/** Batch that the engine accepted, and its runs of consecutive items. */
interface BegunBatch {
  readonly engine: BatchEngine;
  readonly runs: readonly (readonly DocumentSlice[])[] | AsyncGenerator<readonly DocumentSlice[]>;
}

/** Evaluation that runs while its caller waits. */
class RunningEvaluation {
  readonly #ports: ServicePorts;
  readonly #evaluation: PreparedEvaluation;
  readonly #engine: BatchEngine;
  readonly #deadline: DeadlineSignal;
  readonly #options: RunsOptions;

  constructor(ports: ServicePorts, evaluation: PreparedEvaluation, engine: BatchEngine, { signal }: Caller) {
    this.#ports = ports;
    this.#evaluation = evaluation;
    this.#engine = engine;
    this.#deadline = new DeadlineSignal(signal, evaluation.prepared.settings.deadlineAt);
    const { options, traceparent } = evaluation.prepared.settings;
    this.#options = {
      signal: this.#deadline.signal,
      ahead: () => engine.ahead,
      onRun: (run, result, times) => recordRun(ports.telemetry, { ...run, options, traceparent }, result, times),
    };
  }

  /**
   * Evaluates the runs of consecutive items of the batch. Waits for the result of the first run, because a failure of this run becomes the
   * answer to the request.
   */
  async results(runs: BegunBatch['runs']): Promise<Outcome<BatchAnswer>> {
    const { prepared } = this.#evaluation;
    if (isList(runs) && runs.length <= 1) {
      const judge = runEvaluator(this.#engine, prepared, this.#options);
      const results = await Promise.all(runs.map((items) => judge({ items, firstItem: 0 })));
      const failure = results[0] && failureOf(results[0]);
      this.#end({ isWhole: failure === undefined });
      return failure ?? this.#answer(results);
    }
    const rest = evaluateRuns(this.#engine, prepared, this.#engine.runs(isList(runs) ? asAsyncIterable(runs) : runs), this.#options);
    const first = await rest.next();
    const failure = first.done ? undefined : failureOf(first.value);
    if (failure === undefined) return this.#answer(this.#rest(first, rest));
    this.#end({ isWhole: false });
    await rest.return(undefined);
    return failure;
  }

  #answer(results: BatchAnswer['results']): Outcome<BatchAnswer> {
    const { id, prepared, policyReports } = this.#evaluation;
    const { settings, reports: definitions } = prepared;
    return answered({ evaluation: { id, settings, definitions, ...(policyReports && { policyReports }) }, results });
  }

  async *#rest(first: IteratorResult<ChunkResult>, rest: AsyncGenerator<ChunkResult>): AsyncGenerator<ChunkResult> {
    let isWhole = false;
    try {
      if (!first.done) {
        yield first.value;
        yield* rest;
      }
      isWhole = true;
    } finally {
      this.#end({ isWhole });
      await rest.return(undefined);
    }
  }

  /** Ends the evaluation and counts its end. If `isWhole` is false, not all results were read, and the remaining work is stopped. */
  #end({ isWhole }: { readonly isWhole: boolean }): void {
    const { counters, histograms } = this.#ports.telemetry.metrics;
    const isCancelled = !isWhole || this.#deadline.isCallerGone;
    counters.evaluations.add(1, { end: isCancelled ? 'cancelled' : 'complete' });
    if (!isCancelled) histograms.evaluationSeconds.record((steadyNow() - this.#evaluation.createdAt) / 1000);
    if (!isWhole) this.#deadline.stop();
    this.#deadline.clear();
    this.#engine.close();
  }
}

const isList = <Run>(runs: readonly Run[] | AsyncGenerator<Run>): runs is readonly Run[] => Array.isArray(runs);

/**
 * Returns the failure of a request, which its first run determines. The request fails if the deadline passed before any object of the run
 * was evaluated. Returns undefined if there is no failure.
 */
function failureOf({ tally }: ChunkResult): Declined | undefined {
  if (tally.cancelled === 0 || tally.cancelled < tally.items) return undefined;
  return declined('late', timeoutStatus('the deadline of the evaluation passed before any object was judged', 0, 408));
}

function recordOf(
  { id, createdAt, prepared: { settings, reports: definitions }, policyReports }: PreparedEvaluation,
  { owner, flow }: Caller,
): EvaluationRecord {
  return { id, createdAt, owner, flow, settings, definitions, ...(policyReports && { policyReports }) };
}

/** Evaluation whose definitions and policies have verdicts, and whose objects have none yet. */
interface PreparedEvaluation {
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
async function prepareEvaluation(
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
async function storeTexts(
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
  return { ...text, slice: { bytes: ownsBuffer(bytes) ? bytes : new Uint8Array(bytes), notation } };
}
