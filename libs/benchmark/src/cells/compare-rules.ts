import { PER_CALL_LIMIT } from '#kube';
import { compareBuilds } from '../figures/compare-builds.ts';
import type { Build } from '../figures/compare-builds.ts';
import { compareCosts } from '../figures/compare-pairs.ts';
import { isAnswered } from '../object/grow-object.ts';
import { WholeObject } from '../object/whole-object.ts';
import { RuleProbe } from '../search/rule-probe.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { BaseComparison, RuleKey } from '../study/study-report.ts';
import { COMPILED } from './cell-ports.ts';
import type { CellPorts, CellSubjects } from './cell-ports.ts';
import type { CompareCell } from './study-cell.ts';
import type { StudiedDefinition } from './studied-definition.ts';
import { candidateOf } from './write-plan.ts';

type Compared = Extract<BaseComparison, { readonly kind: 'compared' }>;

/**
 * Compares a rule with the same rule in an older revision of its definition, in cost and time. For the costs, each revision validates the
 * write requests that were found for either revision, and the highest cost of each revision counts. This method gives equal revisions equal
 * costs. For the times, both rules are evaluated on the same value, in interleaved pairs, with code that is generated again several times.
 */
export function compareRules(cell: CompareCell, { head, base }: CellSubjects, ports: CellPorts): BaseComparison {
  const [ours, theirs] = [head(COMPILED.name), base?.(COMPILED.name)];
  if (theirs === undefined) return { kind: 'new' };
  const plans = cell.plans.map(candidateOf);
  const costs = {
    base: dearestCost(theirs, cell.baseRule, plans, ports),
    head: dearestCost(ours, cell.rule, plans, ports),
  };
  const { ratio, verdict } = compareCosts(costs.base, costs.head);
  const time = plans[0] && cell.ms > 0 && compareTimes({ ours, theirs, plan: plans[0] }, cell, ports);
  return { kind: 'compared', cost: { ...costs, ...(ratio !== undefined && { ratio }), verdict }, ...(time && { time }) };
}

/**
 * Returns the highest cost of a rule among the given writes. Only writes that the definition accepts or that exceed a cost limit count.
 * Returns 0 if there is no such write.
 */
function dearestCost(studied: StudiedDefinition, key: RuleKey, plans: readonly Candidate[], { token }: CellPorts): number {
  const found = studied.find(key);
  if (found === undefined) return 0;
  const whole = new WholeObject(studied.definition, found.rule, found.among.writing);
  const costs = plans.flatMap((plan) => {
    const trial = whole.judge(plan, token);
    return trial.kind === 'judged' && isAnswered(trial) ? [trial.cost] : [];
  });
  return Math.max(0, ...costs);
}

/** Two revisions of a definition, and the write that contains the value on which both rules are evaluated. */
interface Revisions {
  readonly ours: StudiedDefinition;
  readonly theirs: StudiedDefinition;
  readonly plan: Candidate;
}

function compareTimes({ ours, theirs, plan }: Revisions, cell: CompareCell, ports: CellPorts): Compared['time'] {
  const [head, base] = [ours.find(cell.rule), theirs.find(cell.baseRule)];
  if (head === undefined || base === undefined) return undefined;
  const limits = { costLimit: PER_CALL_LIMIT, token: ports.token };
  const trial = new RuleProbe(head.rule, head.among.writing).try(plan, { ...limits, isChecked: false });
  if (trial.kind !== 'evaluated') return undefined;
  const { value, old } = trial;
  if (base.rule.evaluate(value, old, limits) === undefined) return undefined;
  const build = (): Build => {
    const [a, b] = [base.rule.rebuilt(), head.rule.rebuilt()];
    return { a: () => void a.evaluate(value, old, limits), b: () => void b.evaluate(value, old, limits) };
  };
  const compared = compareBuilds(build, { ...ports, ms: cell.ms });
  if (compared.kind !== 'compared') return undefined;
  const { ratio, lo, hi, verdict, pairs } = compared;
  return { engine: COMPILED.label, ratio, lo, hi, verdict, pairs };
}
