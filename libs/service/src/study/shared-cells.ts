import type { CellAnswer, StudyFleet, StudyForms } from '#queue';
import type { Engine, ResultOf, RunAnswer, RunSettings, Work } from '#runner';

/** Answer of an engine, with the name of the process that performed the work. */
export type PlacedAnswer<Result> = RunAnswer<Result> & { readonly node?: string };

/**
 * Engine of a study (benchmark) that sends cost searches (searches for a rule's most expensive write) to any process of a fleet. Time
 * measurements and comparisons run only in this process, because times of two machines are not comparable.
 */
export class SharedCells implements Engine {
  readonly threads: number;
  readonly #own: Engine;
  readonly #fleet: Pick<StudyFleet<StudyForms>, 'perform' | 'node'>;
  readonly #study: string;
  /**
   * Number of the study's current turn (attempt to perform it), counted from 1. It distinguishes the cells (parts of the study) of this
   * turn from the cells of earlier turns.
   */
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

/** Study that the processes of a fleet perform together. */
interface SharedStudy {
  readonly study: string;
  /** Number of the study's current turn (attempt to perform the study), counted from 1. */
  readonly turn: number;
  /** Number of processes besides this process that perform cells (parts) of the study. */
  readonly others: number;
}

/**
 * Returns an answer together with the name of the process that gave it. The type of the result is known, because every process performs the
 * work with the same code.
 */
const placed = <Result>({ node, answer }: CellAnswer): PlacedAnswer<Result> => ({ ...(answer as RunAnswer<Result>), node });
