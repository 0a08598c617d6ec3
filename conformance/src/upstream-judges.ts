import { CEL_JUDGES } from './cel/upstream-tables.ts';
import { EVALUATED_JUDGES } from './upstream/evaluated-tables.ts';
import { judgeFieldPath } from './upstream/field-path-table.ts';
import { WRITE_JUDGES } from './upstream/write-tables.ts';
import type { UpstreamJudge } from './upstream-answer.ts';

/** The function that compares Assay's results with the lines of each file in `upstream/`, by file name without `.jsonl.gz`. */
export const UPSTREAM_JUDGES: Readonly<Record<string, UpstreamJudge>> = {
  ...CEL_JUDGES,
  ...EVALUATED_JUDGES,
  ...WRITE_JUDGES,
  'cel-fieldpath': judgeFieldPath,
};
