import type { Engine, ResultOf, RunAnswer, RunSettings, Work } from '#runner';

/** Work that a thread performed for a study of rules, with its time and the rule or definition that it concerns. */
export interface PerformedCell {
  /** Kind of the cell of a study, or `explain` if the work is the explanation of a definition. */
  readonly kind: string;
  /** Version and path of the rule; undefined if the work concerns a whole definition. */
  readonly rule: string | undefined;
  /** Name of the definition; undefined if the name is not known. */
  readonly definition: string | undefined;
  /** Time when the work began, in epoch ms. */
  readonly startMs: number;
  readonly endMs: number;
  /** Time in ms for which the work occupied a thread. */
  readonly spentMs: number;
  /** Name of the process that performed the work; undefined if there is only one process. */
  readonly node: string | undefined;
  /** True if other work on the machine disturbed the time measurements of this cell of a study. */
  readonly isDisturbed: boolean;
}

/**
 * Engine (executor of work on threads) for one study of rules. It passes each unit of work to another engine. After each unit, it calls a
 * listener with the time and the subject of the work.
 */
export class CellEngine implements Engine {
  readonly #engine: Engine;
  readonly #performed: (cell: PerformedCell) => void;
  /** Names of definitions by digest, from their explanations. */
  readonly #names = new Map<string, string>();

  constructor(engine: Engine, performed: (cell: PerformedCell) => void) {
    this.#engine = engine;
    this.#performed = performed;
  }

  get threads(): number {
    return this.#engine.threads;
  }

  async run<One extends Work>(work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>> {
    const startMs = Date.now();
    const answer = await this.#engine.run(work, settings);
    const { spentMs, node } = answer;
    if (answer.kind === 'done') this.#learn(work, answer.result);
    const cell = work.kind === 'study' ? work.cell : undefined;
    const result: unknown = answer.kind === 'done' ? answer.result : undefined;
    const isDisturbed = typeof result === 'object' && result !== null && 'disturbed' in result;
    const rule = cell && 'rule' in cell ? `${cell.rule.version} ${cell.rule.path}` : undefined;
    this.#performed({
      kind: cell?.kind ?? work.kind,
      rule,
      definition: this.#nameOf(work),
      startMs,
      endMs: Date.now(),
      spentMs,
      node,
      isDisturbed,
    });
    return answer;
  }

  #learn(work: Work, result: ResultOf<Work>): void {
    // TypeScript cannot see that the type of the result belongs to the kind of the work.
    if (work.kind === 'explain') this.#names.set(work.definition.digest, (result as ResultOf<typeof work>).explained.report.name);
  }

  #nameOf(work: Work): string | undefined {
    return work.kind === 'explain' || work.kind === 'study' ? this.#names.get(work.definition.digest) : undefined;
  }
}
