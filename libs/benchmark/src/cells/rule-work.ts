import { PER_CALL_LIMIT } from '#kube';
import { RuleProbe } from '../search/rule-probe.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { RuleKey } from '../study/study-report.ts';
import type { CellPorts } from './cell-ports.ts';
import type { StudiedDefinition } from './studied-definition.ts';

/** An evaluation of a rule that can be repeated. */
export interface RuleWork {
  readonly run: () => void;
  /** Cost units of one run, as the server's limit of a call ends it. */
  readonly cost: number;
  readonly isOverLimit: boolean;
}

/** Returns the evaluation of a rule on a candidate, under the server's limit of a call; undefined if the rule is not evaluated on it. */
export function evaluationOf(studied: StudiedDefinition, key: RuleKey, candidate: Candidate, { token }: CellPorts): RuleWork | undefined {
  const found = studied.find(key);
  if (found === undefined) return undefined;
  const limits = { costLimit: PER_CALL_LIMIT, token };
  const trial = new RuleProbe(found.rule, found.among.writing).try(candidate, { ...limits, isChecked: false });
  if (trial.kind !== 'evaluated') return undefined;
  const { value, old, cost, outcome } = trial;
  return { run: () => void found.rule.evaluate(value, old, limits), cost, isOverLimit: outcome === 'overLimit' };
}

/** Returns the bytes of heap that one run of some work allocates; nothing if the platform does not tell. */
export function heapOf(run: () => void, { heapUsed }: CellPorts): { readonly heapBytes?: number } {
  if (heapUsed === undefined) return {};
  const before = heapUsed();
  run();
  const bytes = heapUsed() - before;
  // A collection of garbage in between hides what was allocated.
  return bytes > 0 ? { heapBytes: bytes } : {};
}
