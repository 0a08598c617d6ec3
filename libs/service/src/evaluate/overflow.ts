import { setTimeout } from 'node:timers/promises';
import { steadyNow, textDigests } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import type { DefinitionStore, EvaluationRecord, QueueAdapter } from '#queue';

/**
 * Maximum number of runs (stretches of consecutive items) that are offered at the same time for each free seat (thread) of other processes.
 * One run occupies the seat, and the other run waits.
 */
const RUNS_A_SEAT = 2;
/** Time in ms between two attempts to take back offered runs. */
const RETRY_MS = 1000;

/** State of an evaluation whose runs are offered to other processes. */
interface OverflowEvaluation {
  /** Resolves to true if the shared queue accepts the evaluation, otherwise to false. */
  readonly accepted: Promise<boolean>;
  /** Deadline of the evaluation, in epoch ms of the steady clock. */
  readonly deadlineAt: number;
  /** Controller that is aborted when the results are no longer needed. */
  readonly stop: AbortController;
  /** Number of runs that were offered so far. */
  runs: number;
  /** Number of runs that were offered and are not answered yet. */
  open: number;
  /** True if a run was refused or not answered. No more runs of this evaluation are then offered. */
  isClosed: boolean;
}

/** Shared queue and definition store that {@link Overflow} needs to offer work to other processes. */
export interface OverflowPorts {
  readonly shared: QueueAdapter;
  /** Store with the definitions and policies of this process's evaluations. */
  readonly definitions: DefinitionStore;
}

/**
 * Distributor that offers runs (stretches of consecutive items) to other processes through the shared queue. It offers runs while this
 * process has too much work, and only from evaluations whose callers wait. Processes with free seats (threads) claim these runs. If an
 * offered run gets no answer, this process evaluates the run, so that it is neither lost nor reported twice.
 */
export class Overflow {
  readonly #ports: OverflowPorts;
  readonly #evaluations = new Map<string, OverflowEvaluation>();

  constructor(ports: OverflowPorts) {
    this.#ports = ports;
  }

  /** True while any run of this process is offered and not answered yet. */
  get isOffering(): boolean {
    for (const { open } of this.#evaluations.values()) if (open > 0) return true;
    return false;
  }

  /**
   * Returns the maximum number of runs (stretches of consecutive items) of an evaluation that may be offered at the same time. The number
   * is 0 if other processes have no free seats (threads). It is also 0 for an evaluation with a budget, because its runs must be evaluated
   * one after another.
   */
  window({ settings }: EvaluationRecord): number {
    if (typeof settings.options.costLimits.perEvaluation === 'number') return 0;
    return RUNS_A_SEAT * this.#ports.shared.work.freeSeatsElsewhere();
  }

  /** Returns true if one more run of an evaluation may be offered. */
  hasRoom(record: EvaluationRecord): boolean {
    const overflow = this.#evaluations.get(record.id);
    return overflow === undefined ? this.window(record) > 0 : !overflow.isClosed && overflow.open < this.window(record);
  }

  /**
   * Offers a run (stretch of consecutive items) to other processes. Returns undefined if the shared queue does not accept the run.
   * Otherwise returns a promise of the run's result, which is undefined if no process answers.
   *
   * @param firstItem index of the run's first item in the batch
   */
  async offer(
    record: EvaluationRecord,
    firstItem: number,
    items: readonly DocumentSlice[],
  ): Promise<{ readonly result: Promise<ChunkResult | undefined> } | undefined> {
    const overflow = this.#open(record);
    const index = overflow.runs;
    const isTaken = await this.#enqueue(record, overflow, firstItem, items).catch(() => false);
    if (!isTaken) {
      overflow.isClosed = true;
      return undefined;
    }
    overflow.runs++;
    overflow.open++;
    return { result: this.#result(record.id, overflow, index) };
  }

  /** Takes back all offered runs of an evaluation that is over. */
  end(id: string): void {
    const overflow = this.#evaluations.get(id);
    if (overflow === undefined) return;
    this.#evaluations.delete(id);
    overflow.stop.abort();
    void this.#takeBack(id, overflow.deadlineAt);
  }

  /**
   * Removes an evaluation from the shared queue, and retries until the queue answers. After the deadline, or when this process ends, the
   * shared queue drops the evaluation on its own.
   */
  async #takeBack(id: string, deadlineAt: number): Promise<void> {
    const { cancellations, results } = this.#ports.shared;
    while (steadyNow() < deadlineAt)
      try {
        await cancellations.cancel(id);
        return await results.forget(id);
      } catch {
        await setTimeout(RETRY_MS, undefined, { ref: false });
      }
  }

  #open(record: EvaluationRecord): OverflowEvaluation {
    const known = this.#evaluations.get(record.id);
    if (known) return known;
    const accepted = this.#accept(record);
    const overflow = { accepted, deadlineAt: record.settings.deadlineAt, stop: new AbortController(), runs: 0, open: 0, isClosed: false };
    this.#evaluations.set(record.id, overflow);
    return overflow;
  }

  /**
   * Stores the texts that the runs need in the shared storage, and registers the evaluation in the shared queue. Returns false if either is
   * refused.
   */
  async #accept(record: EvaluationRecord): Promise<boolean> {
    const { shared, definitions } = this.#ports;
    const holder = { flow: record.flow, leftMs: Math.max(0, record.settings.deadlineAt - steadyNow()) };
    for (const digest of textDigests(record.settings)) {
      const text = await definitions.get(digest);
      if (text === undefined || (await shared.definitions.put(text, holder)) !== undefined) return false;
    }
    return (await shared.work.accept({ ...record, definitions: [] })) === 'accepted';
  }

  async #enqueue(
    { id }: EvaluationRecord,
    { accepted }: OverflowEvaluation,
    firstItem: number,
    items: readonly DocumentSlice[],
  ): Promise<boolean> {
    return (await accepted) && (await this.#ports.shared.work.enqueue(id, firstItem, items)) === 'queued';
  }

  async #result(id: string, overflow: OverflowEvaluation, index: number): Promise<ChunkResult | undefined> {
    const { results } = this.#ports.shared;
    try {
      const result = await results.result(id, index, overflow.stop.signal);
      if (result === undefined) overflow.isClosed = true;
      else void results.discard(id, index).catch(() => undefined);
      return result;
    } catch {
      overflow.isClosed = true;
      return undefined;
    } finally {
      overflow.open--;
    }
  }
}
