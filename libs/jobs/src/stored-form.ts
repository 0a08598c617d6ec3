/**
 * Version number of the form of all data in Redis: the names of keys, their contents, and the ways in which scripts change them. It
 * increases by one with each change that a process of the previous release could not read or continue. Form 1 is the form of releases that
 * stored no number.
 */
export const REDIS_FORM = 7;

/**
 * Version number of the format of the journal (the SQLite file in which a queue without Redis stores its data). SQLite stores it as
 * `user_version`. Value 0 means a release that stored no number; this release can read such a file.
 */
export const JOURNAL_FORM = 2;

/**
 * Returns the error text for a process that cannot start because the stored data has another format version. The text contains the version
 * of the data and the version of this release.
 */
export const otherFormReason = (stored: string | number, own: number): string =>
  `what is stored there has form ${stored}, and this release reads and writes form ${own}; let the release of that form finish its work first (docs/how-to/upgrade.md, "Two releases and one Redis")`;
