import type { StudyReport } from '#benchmark';
import { EXPRESSION_COST_LIMIT } from '#kube';
import type { Status } from '#kube';
import { emptyTally } from '#documents';
import type { JobKind, JobRecord } from '#jobs';
import { orderBytes } from './study-order.ts';
import type { StudyOrder, StudyProgress } from './study-order.ts';

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
  /** Figures of the studied definitions; absent while the study runs. */
  readonly definitions?: readonly StudiedFigures[];
  /** Reason for a failure; absent if the study did not fail. */
  readonly status?: Status;
}

/** Figures of one definition in an ended study, by which its studies are compared in a list. */
export interface StudiedFigures {
  readonly definition: string;
  /** Number of studied rules. */
  readonly rules: number;
  /** Largest share of the limit of a rule that an estimate takes, from 0; absent if there is no estimate. */
  readonly limitShare?: number;
  /** Most expensive write that was found, with its rule; absent if none was found. */
  readonly costliest?: { readonly version: string; readonly path: string; readonly cost: number };
  /** True if the time did not suffice for all rules. */
  readonly isPartial: boolean;
}

/** Maximum number of definitions whose figures the note of a study contains. */
const MAX_FIGURES = 50;

/** Returns the figures of the definitions in a report. */
export function studiedFigures({ rules }: Pick<StudyReport, 'rules'>): readonly StudiedFigures[] {
  const byDefinition = Map.groupBy(rules, ({ definition }) => definition);
  return [...byDefinition].slice(0, MAX_FIGURES).map(([definition, some]) => {
    const shares = some.flatMap(({ estimate }) => (estimate ? [Number(estimate.object) / Number(EXPRESSION_COST_LIMIT)] : []));
    const [costliest] = some
      .flatMap(({ version, path, worst }) => (worst ? [{ version, path, cost: worst.cost }] : []))
      .toSorted((a, b) => b.cost - a.cost);
    return {
      definition,
      rules: some.filter(({ notStudied }) => notStudied === undefined).length,
      ...(shares.length > 0 && { limitShare: Math.max(...shares) }),
      ...(costliest && { costliest }),
      isPartial: some.some(({ isPartial }) => isPartial),
    };
  });
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
  /** Figures of the studied definitions; undefined until the study has ended. */
  readonly definitions?: readonly StudiedFigures[] | undefined;
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
  percentOf: ({ budgetMs }, { progress }) => (progress ? Math.round(100 * Math.min(1, Math.max(0, 1 - progress.leftMs / budgetMs))) : 0),
  deadlineOf: ({ createdAt }) => createdAt + LIFE_MS,
  due: (record) => record,
  definitionsOf: () => [],
};

/** Returns the size in bytes of a report as JSON. */
export const reportBytes = (report: StudyReport): number => Buffer.byteLength(JSON.stringify(report));
