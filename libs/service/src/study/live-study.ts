import type { SlowCell, StudyReport } from '#benchmark';
import { traceOf } from '#telemetry';
import type { PerformedCell } from './cell-engine.ts';
import type { ProgressFigures, StudyNote, StudyRecord } from './study-life.ts';
import type { StudyFindings, StudyProgress } from './study-order.ts';

/** Maximum number of slow cells of the study that a report lists. */
const MAX_SLOW_CELLS = 10;

/** Study that this process performs. Its documents and its report are in the store. */
export class LiveStudy {
  readonly record: StudyRecord;
  /** Number of times that work on the study began again. */
  readonly restarts: number;
  /** Controller that is aborted when the client cancels the study, when the process ends, or when the study takes too much thread time. */
  readonly stop = new AbortController();
  /** Promise that resolves when no work of the study runs any more. */
  readonly settled = Promise.withResolvers<undefined>();
  threadMs = 0;
  /** True if the study ends because its work failed. */
  isFailed = false;
  /** Slowest cells of the study so far, in descending order of time. */
  #slowest: readonly SlowCell[] = [];
  /** Number of performed cells of the study by process name. */
  readonly #cells = new Map<string, number>();
  #progress: StudyProgress | undefined;
  #soFar: (() => StudyFindings) | undefined;
  #change = Promise.withResolvers<undefined>();

  constructor(record: StudyRecord, restarts = 0) {
    this.record = record;
    this.restarts = restarts;
  }

  /** Note about the work so far, without the findings. */
  get note(): StudyNote {
    return { phase: 'running', progress: this.figures, threadMs: this.threadMs, latest: this.#progress?.latest };
  }

  /** Latest reported progress of the study without findings about rules; undefined before the first report. */
  get figures(): ProgressFigures | undefined {
    if (this.#progress === undefined) return undefined;
    const { latest: _latest, ...figures } = this.#progress;
    return figures;
  }

  /** Records progress of the study. Each call of `soFar` returns the findings up to that time. */
  report(progress: StudyProgress, soFar: () => StudyFindings): void {
    this.#progress = progress;
    this.#soFar = soFar;
    this.#changed();
  }

  count({ kind, definition, rule, node, spentMs }: PerformedCell): void {
    this.threadMs += spentMs;
    const cell = { kind, ...(definition !== undefined && { definition }), ...(rule !== undefined && { rule }), ms: spentMs };
    this.#slowest = [...this.#slowest, { ...cell, ...(node !== undefined && { node }) }]
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, MAX_SLOW_CELLS);
    if (node !== undefined) this.#cells.set(node, (this.#cells.get(node) ?? 0) + 1);
  }

  /** Part of the report that describes the slowest cells of the study, the processes and the trace. */
  get workReport(): Pick<StudyReport, 'nodes' | 'slowestCells' | 'traceId'> {
    const { traceId } = traceOf(this.record.traceparent);
    return {
      ...(this.#cells.size > 0 && { nodes: Array.from(this.#cells, ([node, cells]) => ({ node, cells })) }),
      ...(this.#slowest.length > 0 && { slowestCells: this.#slowest }),
      ...(traceId !== undefined && { traceId }),
    };
  }

  /** Returns a report of all findings so far. The report contains no rules if there are no findings yet. */
  partialReport(machine: Pick<StudyReport, 'node' | 'cpu'>): StudyReport {
    return { ...(this.#soFar?.() ?? noFindings(this.record)), isPartial: true, ...machine, ...this.workReport };
  }

  /** Resolves at the next change of the study, or when `signal` is aborted. */
  changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const { promise } = this.#change;
    return new Promise((resolve) => {
      const settle = (): void => {
        signal.removeEventListener('abort', settle);
        resolve();
      };
      signal.addEventListener('abort', settle, { once: true });
      void promise.then(settle);
    });
  }

  #changed(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve(undefined);
  }
}

/** Returns the findings of a study that has not found anything yet. */
export const noFindings = ({ kubernetesVersion, seed, budgetMs, base }: StudyRecord): StudyFindings => ({
  schema: 'assay.dev/study/v1',
  kubernetesVersion,
  seed,
  budgetMs,
  isPartial: true,
  ...(base !== undefined && { base }),
  definitions: [],
  rules: [],
  notStudied: [],
});
