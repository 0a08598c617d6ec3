import type { StudyReport } from '#benchmark';
import type { Status } from '#kube';
import { emptyTally } from '#documents';
import type { JobKind, JobRecord } from '#jobs';
import { orderBytes } from './study-order.ts';
import type { StudyOrder } from './study-order.ts';
import type { StudyProgress } from './study-request.ts';

/** Phases of a study. A study is first `waiting`, then `running`, and finally `complete`, `cancelled` or `failed`. */
export const STUDY_PHASES = ['waiting', 'running', 'complete', 'cancelled', 'failed'] as const;

/** Phase of a study, one element of {@link STUDY_PHASES}. */
export type StudyPhase = (typeof STUDY_PHASES)[number];

/** Data about a study that are known when the study is submitted. */
export interface StudyRecord extends JobRecord {
  /** Total size in bytes of the definitions and objects that the study uses. */
  readonly bytes: number;
  readonly kubernetesVersion: string;
  readonly budgetMs: number;
  readonly seed: number;
  /** Name of the older revision of the definitions; undefined if there is none. */
  readonly base: string | undefined;
  /** W3C traceparent of the request; undefined if it is not traced. */
  readonly traceparent: string | undefined;
}

/**
 * Note that the process that performs a study stores about it. While the study runs, the note has the findings so far. The note of a study
 * that is over has its end.
 */
export interface StudyNote {
  /** Phase in which the study was; a cancelled study may still have the note of its work. */
  readonly phase: Exclude<StudyPhase, 'waiting'>;
  readonly progress: ProgressFigures | undefined;
  /** Thread time in ms that the study used since work on it last began. */
  readonly threadMs: number;
  /** Rule of the most recent finding; absent if the study is over. */
  readonly latest?: StudyProgress['latest'] | undefined;
  /** Findings so far; absent if the study is over, because the report is its result. */
  readonly report?: StudyReport;
  /** Time at which the study ended, in epoch ms; absent while it runs. */
  readonly endedAt?: number;
  /** Size in bytes of the report as JSON; absent while the study runs. */
  readonly reportBytes?: number;
  /** Reason for a failure; absent if the study did not fail. */
  readonly status?: Status;
}

/** Progress of a running study, without the findings about rules. */
export type ProgressFigures = Omit<StudyProgress, 'latest'>;

/** State of a study that its client receives. */
export interface StudyState {
  readonly record: StudyRecord;
  readonly phase: StudyPhase;
  /** Number of times that work on the study began again from the beginning because a process of the service had ended. */
  readonly restarts: number;
  /** Progress figures; undefined before the first finding about a rule. */
  readonly progress: ProgressFigures | undefined;
  /** Rule of the most recent finding; undefined if the study is not running. */
  readonly latest: StudyProgress['latest'] | undefined;
  /** Thread time in ms that the study used since work on it last began. */
  readonly threadMs: number;
  readonly status: Status | undefined;
}

/** Types of the data of a study. A study is a job with one part, its order, and one result, its report. */
export interface StudyForms {
  readonly record: StudyRecord;
  readonly part: StudyOrder;
  readonly body: StudyOrder;
  readonly result: StudyReport;
  readonly note: StudyNote;
}

/** Time in ms after its submission at which a study is cancelled that no process has finished. */
const LIFE_MS = 2 * 86_400_000;

/** Kind of jobs that study rules. */
export const STUDY_JOBS: JobKind<StudyForms> = {
  name: 'study',
  isLimited: false,
  record: { content: 'study', field: 'budgetMs', pack: (record) => record, unpack: (plain) => plain as StudyRecord },
  body: { content: 'study', field: 'definitions', pack: (order) => order, unpack: (plain) => plain as StudyOrder },
  result: { content: 'study', field: 'schema', pack: (report) => report, unpack: (plain) => plain as StudyReport },
  note: { content: 'study', field: 'phase', pack: (note) => note, unpack: (plain) => plain as StudyNote },
  bodyOf: (order) => order,
  sizeOf: (order) => ({ items: 1, bytes: orderBytes(order) }),
  bytesOf: orderBytes,
  chargeOf: (report) => ({ bytes: reportBytes(report), celCharge: 0, tally: emptyTally() }),
  deadlineOf: ({ createdAt }) => createdAt + LIFE_MS,
  due: (record) => record,
  definitionsOf: () => [],
};

/** Returns the size in bytes of a report as JSON. */
export const reportBytes = (report: StudyReport): number => Buffer.byteLength(JSON.stringify(report));
