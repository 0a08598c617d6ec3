import type { StudyReport } from '#benchmark';
import type { Status } from '#kube';
import type { StudyStore } from '#queue';
import type { Flow } from '#runner/flow';
import type { StudyOrder } from './study-order.ts';
import type { StudyProgress } from './study-request.ts';

/** Phases of a study. A study is first `waiting`, then `running`, and finally `complete`, `cancelled` or `failed`. */
export const STUDY_PHASES = ['waiting', 'running', 'complete', 'cancelled', 'failed'] as const;

/** Phase of a study, one element of {@link STUDY_PHASES}. */
export type StudyPhase = (typeof STUDY_PHASES)[number];

/** Data about a study (benchmark of rules) that are known when the study is submitted. */
export interface StudyRecord {
  readonly id: string;
  /** Time of submission, in epoch ms. */
  readonly createdAt: number;
  /** Name of the access key that submitted the study; undefined if the service requires no key. */
  readonly owner: string | undefined;
  readonly flow: Flow;
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

/** Data about the end of a study. */
export interface StudyEnd {
  readonly phase: Exclude<StudyPhase, 'waiting' | 'running'>;
  /** Time at which the study ended, in epoch ms. */
  readonly endedAt: number;
  /** Size in bytes of the report as JSON. */
  readonly reportBytes: number;
  readonly progress: ProgressFigures | undefined;
  /** Thread time in ms that the study used since work on it last began. */
  readonly threadMs: number;
  /** Reason for a failure; undefined if the study did not fail. */
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

/**
 * Types of the four parts that {@link StoredStudies} stores for each study (benchmark of rules). The service defines these types; the store
 * does not interpret them.
 */
export interface StudyFormsOfService {
  readonly record: StudyRecord;
  readonly order: StudyOrder;
  readonly end: StudyEnd;
  readonly report: StudyReport;
}

/** Store of studies (benchmarks of rules), with the types of records, orders, ends and reports that the service defines. */
export type StoredStudies = StudyStore<StudyFormsOfService>;
