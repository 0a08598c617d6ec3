/**
 * Maximum number of jobs of one flow (the queue of one client) in the line of their level. A second job begins while the last
 * parts of the first are judged.
 */
export const JOBS_OF_FLOW = 2;

/** Maximum number of jobs of one level that a process performs at the same time. Only their next parts are in memory. */
export const JOBS_OF_LEVEL = 16;
