import { NOT_RUN } from './engine.ts';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { RUN_LIMITS } from './limits.ts';
import { nextState } from './task-life.ts';
import type { TaskState } from './task-life.ts';
import type { ResultOf, Work, WorkResult } from './protocol.ts';

/**
 * Separate process for the quarantine: tasks that may have crashed or blocked their thread run there again, one at a time. The process runs
 * only while there are such tasks, and for a short time afterwards.
 */
export interface QuarantineHost extends Engine {
  /** Starts the host unless it already runs. The promise resolves when the host accepts work. */
  start(): Promise<void>;
  stop(): void;
}

/** Task in quarantine: it broke its thread or host, or ran at the same time as such a task. */
interface Suspect {
  readonly work: Work;
  readonly settings: RunSettings;
  readonly settle: (answer: RunAnswer<WorkResult>) => void;
  state: TaskState;
  /** Number of this task's turns that ended because another task waited. */
  turns: number;
  /** Time in ms for which the turns of the task occupied a thread. */
  spentMs: number;
}

/** Current turn of one suspect. */
interface Turn {
  readonly suspect: Suspect;
  readonly beganAt: number;
  /** Controller that is aborted if the suspect must be requeued because another task waits. */
  readonly end: AbortController;
}

/**
 * Quarantine for tasks that may have crashed or blocked their thread or host process. It runs these tasks again in a separate host, one at
 * a time. A crash then has one cause and affects no other task.
 *
 * Most of these tasks are harmless and short, while the guilty task uses its whole deadline. Tasks therefore run in turns, and a turn ends
 * if another task waits. Each turn of a task is twice as long as its previous turn, because the task starts again from the beginning. While
 * another task waits for its first turn, the current turn has only the shortest length.
 *
 * Measured with a task of 5 ms behind six tasks of 2 s. The short task ends after 1.5 s, and without turns after 12 s. The last of the six
 * long tasks ends after 34.5 s, and without turns after 12 s.
 */
export class Quarantine {
  readonly #host: QuarantineHost;
  readonly #waiting: Suspect[] = [];
  #turn: Turn | undefined;
  #turnEnds: NodeJS.Timeout | undefined;
  #idleEnds: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isStopped = false;

  constructor(host: QuarantineHost) {
    this.#host = host;
  }

  /** Numbers of running and waiting tasks in the quarantine. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#isBusy ? 1 : 0, waiting: this.#waiting.length };
  }

  /** Runs one task when its turn has come. Never rejects. */
  run<One extends Work>(work: One, settings: RunSettings): Promise<RunAnswer<ResultOf<One>>> {
    const { signal } = settings;
    return new Promise((resolve) => {
      if (signal?.aborted || this.#isStopped) return resolve(NOT_RUN);
      const giveUp = (): void => {
        const place = this.#waiting.indexOf(suspect);
        if (place < 0) return;
        this.#waiting.splice(place, 1);
        suspect.state = nextState(suspect.state, 'cancel');
        settle({ ...NOT_RUN, spentMs: suspect.spentMs });
      };
      const settle = (answer: RunAnswer<WorkResult>): void => {
        signal?.removeEventListener('abort', giveUp);
        // TypeScript cannot see that the type of the answer belongs to the kind of `work`.
        resolve(answer as RunAnswer<ResultOf<One>>);
      };
      const suspect: Suspect = { work, settings, settle, state: nextState('queued', 'isolate'), turns: 0, spentMs: 0 };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(suspect);
      this.#limitTurn();
      this.#next();
    });
  }

  /** Ends the host. Running and waiting work is answered as cancelled. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#idleEnds);
    for (const suspect of this.#waiting.splice(0)) suspect.settle(NOT_RUN);
    this.#host.stop();
  }

  #next(): void {
    if (this.#isBusy || this.#isStopped) return;
    clearTimeout(this.#idleEnds);
    const fewest = Math.min(...this.#waiting.map(({ turns }) => turns));
    const place = this.#waiting.findIndex(({ turns }) => turns === fewest);
    const [suspect] = place < 0 ? [] : this.#waiting.splice(place, 1);
    if (suspect) void this.#serve(suspect);
    else this.#idleEnds = setTimeout(() => this.#host.stop(), RUN_LIMITS.quarantineIdleMs).unref();
  }

  async #serve(suspect: Suspect): Promise<void> {
    this.#isBusy = true;
    suspect.state = nextState(suspect.state, 'release');
    const end = new AbortController();
    const answer = await this.#answerTo(suspect, end);
    clearTimeout(this.#turnEnds);
    this.#turn = undefined;
    this.#isBusy = false;
    suspect.spentMs += answer.spentMs;
    suspect.state = answer.kind;
    // If the task was still running at the end of its turn, it waits for its next turn. A task that broke its host never runs again.
    const isRequeued = end.signal.aborted && answer.kind !== 'broken' && !suspect.settings.signal?.aborted && !this.#isStopped;
    if (isRequeued) {
      suspect.state = nextState(suspect.state, 'preempt');
      suspect.turns++;
      this.#waiting.push(suspect);
    } else suspect.settle({ ...answer, spentMs: suspect.spentMs });
    this.#next();
  }

  async #answerTo(suspect: Suspect, end: AbortController): Promise<RunAnswer<WorkResult>> {
    try {
      await this.#host.start();
    } catch {
      if (this.#isStopped) return NOT_RUN;
      return { kind: 'broken', breakage: 'host exit', detail: 'no host could be started for it', spentMs: 0 };
    }
    const { work, settings } = suspect;
    this.#turn = { suspect, beganAt: performance.now(), end };
    this.#limitTurn();
    const signal = settings.signal ? AbortSignal.any([settings.signal, end.signal]) : end.signal;
    return this.#host.run(work, { ...settings, signal });
  }

  /** Schedules the end of the current turn if other tasks wait. */
  #limitTurn(): void {
    clearTimeout(this.#turnEnds);
    if (!this.#turn || this.#waiting.length === 0) return;
    const { suspect, beganAt, end } = this.#turn;
    const isNewcomer = this.#waiting.some(({ turns }) => turns === 0);
    const turnMs = RUN_LIMITS.quarantineTurnMs * (isNewcomer ? 1 : 2 ** suspect.turns);
    this.#turnEnds = setTimeout(() => end.abort(), Math.max(0, beganAt + turnMs - performance.now()));
  }
}
