import { PER_CALL_LIMIT } from '#kube';
import { MEASURED_MODEL } from '../prediction/measured-model.ts';
import { predictServerTime } from '../prediction/predict-server-time.ts';
import { serverWork } from '../prediction/server-work.ts';
import { dearestValue } from '../study/dearest-value.ts';
import type { PredictedTime, RuleKey, WritePlan } from '../study/study-report.ts';
import type { CellSubjects } from './cell-ports.ts';

const NOT_EVALUATED: PredictedTime = { kind: 'notPredicted', reason: 'a limit ends the evaluation, or the rule does not hold' };

/** Predicts the time of an API server for one evaluation of a rule in a write. */
export function predictTime(key: RuleKey, plan: WritePlan, { head }: CellSubjects, token: { readonly cancelled: boolean }): PredictedTime {
  const found = head('measured').find(key);
  const value = found && dearestValue(found.rule, plan, PER_CALL_LIMIT);
  if (found === undefined || value === undefined || found.rule.rule.checked === undefined) return NOT_EVALUATED;
  const evaluation = found.rule.evaluate(value.value, value.old, { costLimit: PER_CALL_LIMIT, token });
  if (evaluation?.readings === undefined || evaluation.value !== true) return NOT_EVALUATED;
  return predictServerTime(serverWork(found.rule.rule.checked, evaluation.readings), MEASURED_MODEL);
}
