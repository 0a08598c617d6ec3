import { PER_CALL_LIMIT } from '#kube';
import { MEASURED_MODEL } from '../prediction/measured-model.ts';
import { predictServerTime } from '../prediction/predict-server-time.ts';
import { serverWork } from '../prediction/server-work.ts';
import { RuleProbe } from '../search/rule-probe.ts';
import type { PredictedTime, RuleKey, WritePlan } from '../study/study-report.ts';
import type { CellSubjects } from './cell-ports.ts';
import { candidateOf } from './write-plan.ts';

const NOT_EVALUATED: PredictedTime = { kind: 'notPredicted', reason: 'a limit ends the evaluation, or the rule does not hold' };

/**
 * Predicts how long an API server takes for one evaluation of a rule on the object that `plan` describes. Returns the reason if there is no
 * prediction, for example because the rule does not evaluate to true.
 */
export function predictTime(key: RuleKey, plan: WritePlan, { head }: CellSubjects, token: { readonly cancelled: boolean }): PredictedTime {
  const found = head('measured').find(key);
  const limits = { costLimit: PER_CALL_LIMIT, token, isChecked: false };
  const trial = found && new RuleProbe(found.rule, found.among.writing).try(candidateOf(plan), limits);
  const checked = found?.rule.rule.checked;
  if (checked === undefined || trial?.kind !== 'evaluated' || trial.outcome !== 'true' || trial.readings === undefined)
    return NOT_EVALUATED;
  return predictServerTime(serverWork(checked, trial.readings), MEASURED_MODEL);
}
