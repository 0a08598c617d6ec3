import type { CellAnswer, StudyFleet, StudyForms } from '#queue';
import type { Engine, ResultOf, RunAnswer, RunSettings, Work } from '#runner';

/** An answer, and the process that gave it. */
export type PlacedAnswer<Result> = RunAnswer<Result> & { readonly node?: string };

/**
 * The engine of a study whose searches of costs go to any process of a fleet. Times, and pairs that are compared, stay in this process: figures of two
 * machines are not comparable.
 */
export class SharedCells implements Engine {
  readonly threads: number;
  readonly #own: Engine;
  readonly #fleet: Pick<StudyFleet<StudyForms>, 'perform' | 'node'>;
  readonly #study: string;
  /** Distinguishes the cells of this turn of the study from those of earlier turns. */
  readonly #turn: number;
  #requests = 0;

  constructor(own: Engine, fleet: Pick<StudyFleet<StudyForms>, 'perform' | 'node'>, { study, turn, others }: SharedStudy) {
    this.#own = own;
    this.#fleet = fleet;
    this.#study = study;
    this.#turn = turn;
    this.threads = own.threads * (1 + others);
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<PlacedAnswer<ResultOf<One>>> {
    const isShared = this.threads > this.#own.threads && work.kind === 'study' && work.cell.kind === 'costs';
    if (!isShared) return { ...(await this.#own.run(work, settings)), node: this.#fleet.node };
    const signal = settings.signal ?? new AbortController().signal;
    const cell = `${this.#turn}-${this.#requests++}`;
    const answer = await this.#fleet.perform({ study: this.#study, cell, work }, signal);
    if (answer === undefined) return { kind: 'cancelled', spentMs: 0 };
    return placed<ResultOf<One>>(answer);
  }
}

/** A study over a fleet. */
interface SharedStudy {
  readonly study: string;
  /** The number of its turn, from 1. */
  readonly turn: number;
  /** Other processes that take part. */
  readonly others: number;
}

/** Returns the other process performed the same work by the same code. */
const placed = <Result>({ node, answer }: CellAnswer): PlacedAnswer<Result> => ({ ...(answer as RunAnswer<Result>), node });
