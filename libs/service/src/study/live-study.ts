import type { SlowCell, StudyReport } from '#benchmark';
import { traceOf } from '#telemetry';
import type { PerformedCell } from './cell-engine.ts';
import type { ProgressFigures, StudyEnd, StudyPhase, StudyRecord, StudyState } from './study-life.ts';
import type { StudyFindings, StudyProgress } from './study-request.ts';

/** Maximum number of slow cells (parts of the study) that a report lists. */
const SLOWEST = 10;

/** State of a study in memory, from its submission until it is deleted. Its documents and its report are in the store. */
export class LiveStudy {
  readonly record: StudyRecord;
  /** Controller that is aborted when the client cancels the study, or when the process ends. */
  readonly stop = new AbortController();
  /** Promise that resolves when no work of the study runs any more. */
  readonly settled = Promise.withResolvers<undefined>();
  isCancelled = false;
  /** True if the study is in the store and may therefore run. */
  isStored = false;
  /** Number of times that work on the study began. */
  begun: number;
  phase: StudyPhase = 'waiting';
  threadMs = 0;
  end: StudyEnd | undefined;
  /** Slowest cells (parts of the study) so far, in descending order of time. */
  #slowest: readonly SlowCell[] = [];
  /** Number of performed cells (parts of the study) by process name. */
  readonly #cells = new Map<string, number>();
  #progress: StudyProgress | undefined;
  #soFar: (() => StudyFindings) | undefined;
  #change = Promise.withResolvers<undefined>();

  constructor(record: StudyRecord, begun = 0) {
    this.record = record;
    this.begun = begun;
  }

  get isOver(): boolean {
    return this.end !== undefined;
  }

  get state(): StudyState {
    const { record, phase, begun, end } = this;
    const isBegun = phase === 'running' || end !== undefined;
    return {
      record,
      phase,
      restarts: Math.max(0, isBegun ? begun - 1 : begun),
      progress: end ? end.progress : this.figures,
      latest: end ? undefined : this.#progress?.latest,
      threadMs: end?.threadMs ?? this.threadMs,
      status: end?.status,
    };
  }

  /** Latest reported progress of the study without findings about rules; undefined before the first report. */
  get figures(): ProgressFigures | undefined {
    if (this.#progress === undefined) return undefined;
    const { latest: _latest, ...figures } = this.#progress;
    return figures;
  }

  /** Marks the study as running. */
  run(): void {
    this.phase = 'running';
    this.#changed();
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
    this.#slowest = [...this.#slowest, { ...cell, ...(node !== undefined && { node }) }].toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    if (node !== undefined) this.#cells.set(node, (this.#cells.get(node) ?? 0) + 1);
  }

  /** Part of the report that describes the slowest cells (parts of the study), the processes and the trace. */
  get workReport(): Pick<StudyReport, 'nodes' | 'slowestCells' | 'traceId'> {
    const { traceId } = traceOf(this.record.traceparent);
    return {
      ...(this.#cells.size > 0 && { nodes: Array.from(this.#cells, ([node, cells]) => ({ node, cells })) }),
      ...(this.#slowest.length > 0 && { slowestCells: this.#slowest }),
      ...(traceId !== undefined && { traceId }),
    };
  }

  /** Marks the study as ended, with the given end. */
  close(end: StudyEnd): void {
    this.end = end;
    this.phase = end.phase;
    this.#soFar = undefined;
    this.#changed();
  }

  /** Returns a report of all findings so far. The report contains no rules if there are no findings yet. */
  partialReport(machine: Pick<StudyReport, 'node' | 'cpu'>): StudyReport {
    const { kubernetesVersion, seed, budgetMs, base } = this.record;
    const findings = this.#soFar?.() ?? {
      schema: 'assay.dev/study/v1',
      kubernetesVersion,
      seed,
      budgetMs,
      isPartial: true,
      ...(base !== undefined && { base }),
      definitions: [],
      rules: [],
      notStudied: [],
    };
    return { ...findings, isPartial: true, ...machine, ...this.workReport };
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
