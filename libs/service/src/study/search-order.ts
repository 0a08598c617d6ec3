import type { RuleTask } from './rule-task.ts';

/**
 * Returns rules in the order in which their most expensive writes are searched. Rules that an object of the user evaluates come first.
 * Otherwise, the rule with the highest estimate comes first. If the time is short, the most important searches are then finished.
 */
export function searchOrder(tasks: readonly RuleTask[]): readonly RuleTask[] {
  return tasks.toSorted((a, b) => Number(isReached(b)) - Number(isReached(a)) || compare(estimateOf(b), estimateOf(a)));
}

/** Returns true if an earlier search found that an object of the user evaluates the rule. */
const isReached = ({ costs }: RuleTask): boolean => costs?.isReached === true;

const estimateOf = ({ explained }: RuleTask): bigint => (explained.error === undefined ? BigInt(explained.totalCost) : -1n);

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
