import { steadyNow } from '#documents';
import { queueKeyOf } from '../flow/index.ts';
import type { Flow } from '../flow/index.ts';
import type { Engine, RunAnswer, RunSettings } from '../engine.ts';
import type { ResultOf, Work } from '../protocol.ts';
import type { FleetSeats } from './fleet-seats.ts';

/**
 * Engine of a process in a fleet. While its own threads are busy, it runs tasks on free threads of other processes. A task that no other
 * process performs runs on the own threads.
 */
export class FleetEngine implements Engine {
  readonly #own: Engine;
  readonly #seats: FleetSeats;
  readonly #flow: Flow;
  readonly #mayLeave: (work: Work) => boolean;
  #threads = 0;
  /** Number of tasks that run in this process. */
  #atHome = 0;

  /**
   * @param own engine of this process
   * @param flow queue of one client, to which all tasks belong
   * @param mayLeave returns false for work that must run in this process
   */
  constructor(own: Engine, seats: FleetSeats, flow: Flow, mayLeave: (work: Work) => boolean) {
    this.#own = own;
    this.#seats = seats;
    this.#flow = flow;
    this.#mayLeave = mayLeave;
  }

  /** Greatest number of threads that the engine has had so far. Other processes come and go, and budgets of time count with this number. */
  get threads(): number {
    this.#threads = Math.max(this.#threads, this.#own.threads + this.#seats.window);
    return this.#threads;
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    if (this.#atHome >= this.#own.threads && this.#seats.hasRoom && this.#mayLeave(work)) {
      const queueKey = queueKeyOf({ id: '', createdAt: steadyNow(), flow: this.#flow });
      const answer = await this.#seats.run(work, { queueKey, expectedMs: Infinity, holder: this.#flow }, settings);
      if (answer.kind !== 'cancelled' || settings.signal?.aborted === true) return answer;
    }
    this.#atHome += 1;
    try {
      return { ...(await this.#own.run(work, settings)), node: this.#seats.node };
    } finally {
      this.#atHome -= 1;
    }
  }
}
