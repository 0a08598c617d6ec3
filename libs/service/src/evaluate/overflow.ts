import { hasBudget } from '#evaluation';
import type { ChunkSettings } from '#evaluation';
import type { EvaluationRecord, QueueAdapter } from '#queue';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { BatchEngine } from '#runner';
import { OverflowEngine } from './overflow-engine.ts';

/**
 * Maximum number of runs (stretches of consecutive items) that are offered at the same time for each free seat (thread) of other processes.
 * One run occupies the seat, and the other run waits.
 */
const RUNS_A_SEAT = 2;

/**
 * Offers of this process to other processes. While this process has too much work, it offers runs of evaluations whose callers wait.
 * Processes with free seats (threads) take these runs from the queue that all processes share.
 */
export class Overflow {
  readonly #shared: QueueAdapter;
  #open = 0;

  constructor(shared: QueueAdapter) {
    this.#shared = shared;
  }

  /** True while any run of this process is offered and not answered yet. */
  get isOffering(): boolean {
    return this.#open > 0;
  }

  /**
   * Returns the maximum number of runs (stretches of consecutive items) of an evaluation that may be offered at the same time. The number
   * is 0 if other processes have no free seats (threads). It is also 0 for an evaluation with a budget, because its runs must be evaluated
   * one after another.
   */
  window(settings: ChunkSettings): number {
    return hasBudget(settings) ? 0 : RUNS_A_SEAT * this.#shared.work.freeSeatsElsewhere();
  }

  /** Returns true if other processes have free seats for runs of an evaluation. */
  hasSeats(settings: ChunkSettings): boolean {
    return this.window(settings) > 0;
  }

  /** Returns an engine that offers runs to other processes while the engine `home` of this process has too much work. */
  beside(home: BatchEngine, batch: PreparedBatch, record: EvaluationRecord, caller: AbortSignal): BatchEngine {
    const count = (by: 1 | -1): void => void (this.#open += by);
    return new OverflowEngine({ home, shared: this.#shared, window: () => this.window(batch.settings), count, caller }, batch, record);
  }
}
