import { LEVELS } from '#runner/flow';
import type { Level } from '#runner/flow';

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
