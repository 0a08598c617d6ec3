import { setTimeout as pause } from 'node:timers/promises';
import type { StudyReport } from '#benchmark';
import { internalErrorStatus } from '#kube';
import { isUnavailable } from '#jobs';
import type { BegunJob, JobStore } from '#jobs';
import { FleetEngine } from '#runner';
import type { Engine, FleetSeats, Work } from '#runner';
import type { Telemetry, FinishedSpan } from '#telemetry';
import type { LiveStudy } from './live-study.ts';
import { reportBytes, studiedFigures } from './study-life.ts';
import type { StudyForms, StudyNote } from './study-life.ts';
import { chargedClient } from './study-limits.ts';
import type { ThreadTime } from './study-limits.ts';
import { pathOfFlow } from '#runner/flow';
import type { Flow } from '#runner/flow';
import { emitSpans } from '#telemetry';
import { CellEngine } from './cell-engine.ts';
import type { PerformedCell } from './cell-engine.ts';
import { studyDefinitions } from './study-definitions.ts';
import { requestOf } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';

/**
 * Maximum number of times that work on a study may begin. The limit exists because a study might end its process each time.
 */
const MAX_STARTS = 5;
/** Minimum interval in ms between two notes about a running study. */
const NOTE_MS = 250;
/** Pause in ms before a report is stored again that the storage could not take. */
const RETRY_MS = 1000;

/** Objects that {@link performStudyJob} needs. */
export interface StudyPerformancePorts {
  readonly jobs: Pick<JobStore<StudyForms>, 'part' | 'note' | 'store'>;
  readonly time: ThreadTime;
  readonly engine: Engine;
  /** Free engine threads of other processes for cells of studies; undefined if there are none. */
  readonly seats: FleetSeats | undefined;
  readonly telemetry: Telemetry;
  /** Names of the runtime and the processor, which reports contain. */
  readonly machine: Pick<StudyReport, 'node' | 'cpu'>;
  /** Number of threads that one study may use. */
  readonly threads: number;
  /** Returns the current time in epoch ms from a clock that does not jump. */
  readonly now: () => number;
}

/**
 * Performs a study from its beginning, and stores its report. Its cells run in this process and in other processes. While it runs, notes report
 * its progress. If `signal` is aborted, the findings so far are stored as a last note, which a cancelled study keeps. Rejects if the storage
 * does not answer; the study then begins again.
 */
export async function performStudyJob(
  ports: StudyPerformancePorts,
  job: BegunJob<StudyForms>,
  study: LiveStudy,
  signal: AbortSignal,
): Promise<void> {
  const { jobs, telemetry, machine } = ports;
  if (job.startsWithoutResult > MAX_STARTS)
    return end(ports, job, study, { failure: `the service ended ${MAX_STARTS} times while it ran` }, signal);
  const order = await jobs.part(job, 0);
  if (order === undefined) return;
  const stop = (): void => study.stop.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const over = new AbortController();
  const noting = tellProgress(ports, job, study, over.signal);
  try {
    const report = await performStudy(study, order, { engine: await engineOf(ports, job), telemetry, machine });
    await charge(ports, study);
    over.abort();
    await noting;
    if (signal.aborted)
      await jobs.note(job, {
        ...study.note,
        report,
        endedAt: ports.now(),
        reportBytes: reportBytes(report),
        definitions: studiedFigures(report),
      });
    else await end(ports, job, study, { report }, signal);
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error;
    telemetry.log.error({ err: error, study: study.record.id }, 'a study failed');
    await end(ports, job, study, { failure: 'the study failed' }, signal);
  } finally {
    over.abort();
    signal.removeEventListener('abort', stop);
    await noting;
  }
}

/** Charges the thread time of a study to its client. If the storage cannot take it, logs the error: the study does not end for it. */
async function charge({ time, telemetry }: StudyPerformancePorts, { record, threadMs }: LiveStudy): Promise<void> {
  try {
    await time.charge(chargedClient(record), threadMs);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    telemetry.log.error({ err: error }, 'the time of a study could not be charged');
  }
}

/** Returns the engine that performs the cells of a study. */
async function engineOf({ engine, seats, threads }: StudyPerformancePorts, { record: { flow } }: BegunJob<StudyForms>): Promise<Engine> {
  const own = backgroundEngine(engine, { threads, flow });
  await seats?.refresh();
  return seats ? new FleetEngine(own, seats, flow, isCostSearch) : own;
}

/**
 * Returns true if other processes may perform the work: a search for a rule's most expensive write. Time measurements and comparisons stay
 * in one process, because times of two machines are not comparable.
 */
const isCostSearch = (work: Work): boolean => work.kind === 'study' && work.cell.kind === 'costs';

/** Stores a note about a study after each change, with at least {@link NOTE_MS} between two notes. */
async function tellProgress(
  { jobs, machine }: StudyPerformancePorts,
  job: BegunJob<StudyForms>,
  study: LiveStudy,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await study.changed(over);
    if (over.aborted) return;
    const isTaken = await jobs.note(job, { ...study.note, report: study.partialReport(machine) }).catch(() => true);
    // The storage refused the note. So another process has the study, or the study ended and the message about its end was lost.
    if (!isTaken) study.stop.abort();
    await pause(NOTE_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}

/** Stores the end of a study with its report. While the storage cannot take it, tries again until `signal` is aborted. */
async function end(
  { jobs, machine, now, telemetry }: StudyPerformancePorts,
  job: BegunJob<StudyForms>,
  study: LiveStudy,
  how: { readonly report?: StudyReport; readonly failure?: string },
  signal: AbortSignal,
): Promise<void> {
  const { report = study.partialReport(machine), failure } = how;
  study.isFailed = failure !== undefined;
  const note: StudyNote = {
    phase: failure === undefined ? 'complete' : 'failed',
    progress: study.figures,
    threadMs: study.threadMs,
    definitions: studiedFigures(report),
    endedAt: now(),
    reportBytes: reportBytes(report),
    ...(failure !== undefined && { status: internalErrorStatus(failure) }),
  };
  while (!signal.aborted) {
    try {
      await jobs.store(job, { part: 0, bytes: job.record.bytes, result: report, note });
      return;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      telemetry.log.error({ err: error }, 'the storage does not take the report of a study');
    }
    await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Returns the engine for the studies of one {@link Flow}. Studies run in the background on separate threads, which pause while other work
 * runs. Studies therefore do not wait in the admission queue. `threads` is the number of threads that one study may use.
 */
function backgroundEngine(engine: Engine, { threads, flow }: { readonly threads: number; readonly flow: Flow }): Engine {
  const path = pathOfFlow(flow);
  return { threads, run: (work, settings) => engine.run(work, { ...settings, background: true, flow: path }) };
}

/** Maximum number of trace spans for the cells of one study. */
const MAX_SPANS = 1000;

/** Maximum thread time in ms for reading the definitions and estimating their costs. It is not part of the study's budget. */
const OPENING_MS = 60_000;

/** Dependencies that {@link performStudy} needs. */
interface PerformingParts {
  readonly engine: Engine;
  readonly telemetry: Telemetry;
  readonly machine: Pick<StudyReport, 'node' | 'cpu'>;
}

/**
 * Performs a study and returns its report. Adds the cells of the study and their thread time to the metrics, and reports progress. Records
 * a trace if the request was traced. Ends the study early if reading its definitions takes too long.
 */
async function performStudy(study: LiveStudy, order: StudyOrder, { engine, telemetry, machine }: PerformingParts): Promise<StudyReport> {
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
