import type { AskOutcome } from '../worker/watched-worker.ts';
import type { BenchmarkAnswer, BenchmarkAsk } from '../judge/judge-messages.ts';

/** Executor of benchmarks: the page's worker, or a service that answers in the same format. */
export interface BenchmarkPlace {
  /** Performs a benchmark. Calls `onPart` with intermediate answers. Never rejects. */
  readonly perform: (ask: BenchmarkAsk, onPart: (part: BenchmarkAnswer) => void) => Promise<AskOutcome<BenchmarkAnswer>>;
  /** Ends the running benchmark immediately. */
  readonly end: () => void;
}

/** State of one benchmark of a rule, which the page shows while the benchmark runs and after its end. */
export interface BenchmarkProgress {
  readonly state: 'running' | 'over' | 'stopped' | 'failed';
  readonly ask: BenchmarkAsk;
  /**
   * Most recent answer about the rule. Until this benchmark has an answer, it is the answer of an earlier benchmark of the same rule.
   * Absent if there is neither.
   */
  readonly answer?: BenchmarkAnswer;
  /** Reason why the benchmark failed; absent unless `state` is `failed`. */
  readonly why?: string;
}

/** Runner of benchmarks, one at a time. A new benchmark ends the previous one. */
export class BenchmarkRun {
  readonly #place: BenchmarkPlace;
  readonly #show: (progress: BenchmarkProgress) => void;
  #progress: BenchmarkProgress | undefined;

  constructor(place: BenchmarkPlace, show: (progress: BenchmarkProgress) => void) {
    this.#place = place;
    this.#show = show;
  }

  /** Ends the running benchmark if there is one, begins a new one, and resolves when it is over. Shows the answers in between. */
  async begin(ask: BenchmarkAsk): Promise<void> {
    const before = this.#progress;
    if (before?.state === 'running') this.#place.end();
    const known = before && placeOf(before.ask) === placeOf(ask) ? before.answer : undefined;
    this.#tell({ state: 'running', ask, ...(known && { answer: known }) });
    const isCurrent = (): boolean => this.#progress?.ask === ask && this.#progress.state === 'running';
    const outcome = await this.#place.perform(ask, (answer) => {
      if (isCurrent()) this.#tell({ state: 'running', ask, answer });
    });
    if (!isCurrent()) return;
    const { answer } = this.#progress ?? {};
    if (outcome.kind === 'answered') this.#tell({ state: 'over', ask, answer: outcome.answer });
    else if (outcome.kind === 'stopped') this.#tell({ state: 'stopped', ask, ...(answer && { answer }) });
    else this.#tell({ state: 'failed', ask, why: outcome.why, ...(answer && { answer }) });
  }

  /** Ends the running benchmark and keeps the findings that it has reported so far. */
  stop(): void {
    if (this.#progress?.state !== 'running') return;
    this.#tell({ ...this.#progress, state: 'stopped' });
    this.#place.end();
  }

  #tell(progress: BenchmarkProgress): void {
    this.#progress = progress;
    this.#show(progress);
  }
}

const placeOf = ({ rule: { definition, version, path } }: BenchmarkAsk): string => JSON.stringify([definition, version, path]);
