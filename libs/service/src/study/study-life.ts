import type { StudyReport } from '#benchmark';
import type { Status } from '#kube';
import type { Flow, StudyStore } from '#queue';
import type { StudyOrder } from './study-order.ts';
import type { StudyProgress } from './study-request.ts';

/** The states of a study, in the order in which it goes through them. */
export const STUDY_PHASES = ['waiting', 'running', 'complete', 'cancelled', 'failed'] as const;

/** One of {@link STUDY_PHASES}. */
export type StudyPhase = (typeof STUDY_PHASES)[number];

/** The part of a study that is known from its submission on. */
export interface StudyRecord {
  readonly id: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** The name of the access key that made it; undefined: the service asked for no key. */
  readonly owner: string | undefined;
  readonly flow: Flow;
  /** Bytes of its documents. */
  readonly bytes: number;
  readonly kubernetesVersion: string;
  readonly budgetMs: number;
  readonly seed: number;
  /** The name of the older revision; undefined if there is none. */
  readonly base: string | undefined;
  /** W3C traceparent of the request; undefined if it is not traced. */
  readonly traceparent: string | undefined;
}

/** The end of a study. */
export interface StudyEnd {
  readonly phase: Exclude<StudyPhase, 'waiting' | 'running'>;
  /** Epoch ms. */
  readonly endedAt: number;
  /** Bytes of the report as JSON. */
  readonly reportBytes: number;
  readonly progress: ProgressFigures | undefined;
  /** Time on threads since work on it began last, ms. */
  readonly threadMs: number;
  /** The reason for a failure; undefined if there was none. */
  readonly status?: Status;
}

/** The figures of a study that goes on. */
export type ProgressFigures = Omit<StudyProgress, 'latest' | 'older'>;

/** The state of a study, for its client. */
export interface StudyState {
  readonly record: StudyRecord;
  readonly phase: StudyPhase;
  /** Times that work on it began anew after the service had ended. */
  readonly restarts: number;
  /** Undefined until something is known of a rule. */
  readonly progress: ProgressFigures | undefined;
  /** The rule of which something was found last; undefined if it does not run. */
  readonly latest: StudyProgress['latest'] | undefined;
  /** Time on threads since work on it began last, ms. */
  readonly threadMs: number;
  readonly status: Status | undefined;
}

/** The forms in which the service stores studies. */
export interface StudyFormsOfService {
  readonly record: StudyRecord;
  readonly order: StudyOrder;
  readonly end: StudyEnd;
  readonly report: StudyReport;
}

/** The store of studies in the forms of the service. */
export type StoredStudies = StudyStore<StudyFormsOfService>;
