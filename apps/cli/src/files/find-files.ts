import { statsOf } from './file-access.ts';
import { UsageError } from '../usage.ts';

/** Name of the settings file of a project. This file contains no objects. */
export const SETTINGS_FILE = '.assay.yaml';

/** Function that receives a sentence about a path that could not be used. */
export type ReportProblem = (problem: string) => void;

/** Returns true if a path is a folder, and false if it is a file. Throws {@link UsageError} if the path does not exist. */
export function isFolder(path: string): boolean {
  const stats = statsOf(path);
  if (!stats.ok) throw new UsageError(`${path}: ${stats.problem}`);
  return stats.content.isDirectory();
}
