/**
 * The number of the form of all data in Redis: names of keys, their contents, and the ways in which scripts change them. It grows by one with each change that a process of the release before
 * could not read or carry on. Form 1 is that of releases which kept no number.
 */
export const REDIS_FORM = 4;

/** The form of a journal's file, its `user_version`; 0 is that of releases which kept no number, and is read. */
export const JOURNAL_FORM = 1;

/** Why a process does not start on what was stored in another form; both are named. */
export const otherFormReason = (stored: string | number, own: number): string =>
  `what is stored there has form ${stored}, and this release reads and writes form ${own}; let the release of that form finish its work first (docs/how-to/upgrade.md, "Two releases and one Redis")`;
