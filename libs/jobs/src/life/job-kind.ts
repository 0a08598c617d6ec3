import type { Tally } from '#documents';
import { LEVELS } from '#runner/flow';
import type { Level } from '#runner/flow';
import type { ContentKind } from '../at-rest/sealing.ts';
import type { JobForms } from '../ports.ts';

/** Form in which values of one type are stored: plain data, encrypted as one kind of content. */
export interface StoredForm<Value> {
  readonly content: ContentKind;
  /** Field that all plain data of this form have. Data without it were written by other software. */
  readonly field: string;
  readonly pack: (value: Value) => object;
  /** Returns the value that was passed to `pack`. `plain` has the field `field`. */
  readonly unpack: (plain: object) => Value;
}

/** Numbers that a stored result adds to its job. */
export interface ResultCharge {
  /** Size of the result, in bytes. The flow of the job is charged for it. */
  readonly bytes: number;
  /** CEL cost of the part, in cost units. */
  readonly celCharge: number;
  readonly tally: Tally;
}

/** Kind of jobs, with the facts about their data that the stores need. */
export interface JobKind<Forms extends JobForms> {
  readonly name: 'evaluation' | 'study';
  /** True if the storage limits the number and the size of these jobs, for each flow and for all flows together. */
  readonly isLimited: boolean;
  readonly record: StoredForm<Forms['record']>;
  readonly body: StoredForm<Forms['body']>;
  readonly result: StoredForm<Forms['result']>;
  readonly note: StoredForm<Forms['note']>;
  /** Returns a submitted part as the process that performs the job receives it. `firstItem` is the number of items before the part. */
  readonly bodyOf: (part: Forms['part'], firstItem: number) => Forms['body'];
  /** Returns the number of items of a part, and its size in bytes. */
  readonly sizeOf: (part: Forms['part']) => { readonly items: number; readonly bytes: number };
  /** Returns the size in bytes of a part as the process that performs the job receives it. */
  readonly bytesOf: (body: Forms['body']) => number;
  readonly chargeOf: (result: Forms['result']) => ResultCharge;
  /** Returns the share of a job's work that is done at the time of a note, in whole percent. */
  readonly percentOf: (record: Forms['record'], note: Forms['note']) => number;
  /** Returns the time in epoch ms at which a job is cancelled if no process performs it. */
  readonly deadlineOf: (record: Forms['record']) => number;
  /** Returns a record with another deadline. */
  readonly due: (record: Forms['record'], deadlineAt: number) => Forms['record'];
  /** Returns the digests of the stored definitions that a job needs. */
  readonly definitionsOf: (record: Forms['record']) => readonly string[];
}

/** Text with which the ids of studies begin in a storage. Evaluations and studies share one storage. */
const STUDY_IDS = 'study/';

/** Returns the id under which a storage has a job of this kind. */
export const storedIdOf = ({ name }: Pick<JobKind<never>, 'name'>, id: string): string => (name === 'study' ? `${STUDY_IDS}${id}` : id);

/** Returns the id of a job from the id under which the storage has it. Returns undefined if the job is of another kind. */
export function idOf({ name }: Pick<JobKind<never>, 'name'>, storedId: string): string | undefined {
  const isStudy = storedId.startsWith(STUDY_IDS);
  if (isStudy !== (name === 'study')) return undefined;
  return isStudy ? storedId.slice(STUDY_IDS.length) : storedId;
}

/** Line in which studies wait. */
export const STUDY_LINE = 'study';

/** Lines in which jobs wait: one for each priority level of evaluations, and one for studies. */
export const LINES = [...LEVELS, STUDY_LINE] as const;

/** Line in which jobs wait, one element of {@link LINES}. */
export type Line = Level | typeof STUDY_LINE;

/**
 * Maximum number of evaluations of one flow in the line of their level. A second evaluation begins while the last parts of the first are
 * judged.
 */
export const JOBS_OF_FLOW = 2;

/** Maximum number of studies of one flow in their line. A second study begins when the first is over. */
export const STUDIES_OF_FLOW = 1;

/** Maximum number of evaluations of one level that a process performs at the same time. Only their next parts are in memory. */
export const JOBS_OF_LEVEL = 16;
