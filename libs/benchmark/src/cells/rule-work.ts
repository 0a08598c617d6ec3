import { PER_CALL_LIMIT } from '#kube';
import { RuleProbe } from '../search/rule-probe.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { RuleKey } from '../study/study-report.ts';
import type { CellPorts, StudiedDefinition } from './studied-definition.ts';

/** Evaluation of one rule on one value. A study repeats it to measure its time. */
export interface RuleWork {
  readonly run: () => void;
  /** Cost units of one run. The run ends at the server's cost limit of one call. */
  readonly cost: number;
  readonly isOverLimit: boolean;
}

/**
 * Returns a repeatable evaluation of a rule on the test value that `candidate` describes. Each evaluation stops at the server's cost limit
 * for one evaluation of a rule. Returns undefined if the rule does not exist or is not evaluated on this value.
 */
export function evaluationOf(studied: StudiedDefinition, key: RuleKey, candidate: Candidate, { token }: CellPorts): RuleWork | undefined {
  const found = studied.find(key);
  if (found === undefined) return undefined;
  const limits = { costLimit: PER_CALL_LIMIT, token };
  const trial = new RuleProbe(found.rule, found.among.writing).try(candidate, { ...limits, isChecked: false });
  if (trial.kind !== 'evaluated') return undefined;
  const { value, old, cost, outcome } = trial;
  return { run: () => void found.rule.evaluate(value, old, limits), cost, isOverLimit: outcome === 'overLimit' };
}

/**
 * Returns the bytes of heap that one call of `run` allocates. Returns an empty object if the runtime does not report heap usage. It also
 * does so if the heap did not grow, for example because garbage was collected during the call.
 */
export function heapOf(run: () => void, { heapUsed }: CellPorts): { readonly heapBytes?: number } {
  if (heapUsed === undefined) return {};
  const before = heapUsed();
  run();
  const bytes = heapUsed() - before;
  // If the garbage collector frees memory during the run, the difference says nothing about the run.
  return bytes > 0 ? { heapBytes: bytes } : {};
}
