import type { StudyReport } from '#benchmark';
import { emitSpans } from '#telemetry';
import type { FinishedSpan, Telemetry } from '#telemetry';
import { CellEngine } from './cell-engine.ts';
import type { PerformedCell } from './cell-engine.ts';
import type { Engine } from '#runner';
import type { LiveStudy } from './live-study.ts';
import { studyDefinitions } from './study-definitions.ts';
import { requestOf } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';

/** Maximum number of trace spans for the cells of one study. */
const MAX_SPANS = 1000;

/** Maximum thread time in ms for reading the definitions and estimating their costs. It is not part of the study's budget. */
const OPENING_MS = 60_000;

/** Dependencies that {@link performStudy} needs. */
export interface PerformingParts {
  readonly engine: Engine;
  readonly telemetry: Telemetry;
  readonly machine: Pick<StudyReport, 'node' | 'cpu'>;
}

/**
 * Performs a study and returns its report. Adds the cells of the study and their thread time to the metrics, and reports progress. Records
 * a trace if the request was traced. Ends the study early if reading its definitions takes too long.
 */
export async function performStudy(
  study: LiveStudy,
  order: StudyOrder,
  { engine, telemetry, machine }: PerformingParts,
): Promise<StudyReport> {
  const { counters } = telemetry.metrics;
  const spans: FinishedSpan[] = [];
  const cells = new CellEngine(engine, (cell) => {
    study.count(cell);
    counters.studyCells.add(1, { kind: cell.kind });
    if (cell.isDisturbed) counters.studyCellsDisturbed.add(1);
    counters.studyThreadSeconds.add(cell.spentMs / 1000);
    if (study.threadMs > engine.threads * study.record.budgetMs + OPENING_MS) study.stop.abort();
    if (study.record.traceparent !== undefined && spans.length < MAX_SPANS) spans.push(spanOf(cell));
  });
  const startMs = Date.now();
  try {
    const findings = await studyDefinitions(cells, requestOf(order), {
      signal: study.stop.signal,
      notify: (progress, soFar) => study.report(progress, soFar),
    });
    return { ...findings, ...machine, ...study.workReport };
  } finally {
    const { traceparent, id, budgetMs } = study.record;
    const attributes = {
      'assay.study.id': id,
      'assay.definitions': order.definitions.length,
      'assay.study.budget_ms': budgetMs,
      'assay.study.restarts': study.restarts,
    };
    if (traceparent !== undefined) emitSpans([{ name: 'study', startMs, endMs: Date.now(), attributes, children: spans }], traceparent);
  }
}

function spanOf({ kind, rule, definition, startMs, endMs, spentMs, node, isDisturbed }: PerformedCell): FinishedSpan {
  const attributes = {
    'assay.cell.kind': kind,
    ...(definition !== undefined && { 'assay.definition': definition }),
    ...(rule !== undefined && { 'assay.rule.path': rule }),
    'assay.cell.ms': spentMs,
    ...(isDisturbed && { 'assay.cell.disturbed': true }),
    ...(node !== undefined && { 'assay.node': node }),
  };
  return { name: 'study cell', startMs, endMs, attributes, children: [] };
}
