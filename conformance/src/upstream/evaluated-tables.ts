import { judgeStaticCost } from '../cel/upstream-tables.ts';
import type { UpstreamJudge } from '../upstream-answer.ts';
import { judgeExpressions } from './expression-tables.ts';
import { judgeInterpret, judgeRuntimeCost } from './interpreter-tables.ts';
import { judgeQuantity } from './quantity-table.ts';
import { judgeValidation } from './validation-table.ts';
import { judgeValues } from './value-table.ts';

/** Functions that compare Assay's results with the tables about results and costs of evaluated expressions, by file name. */
export const EVALUATED_JUDGES: Readonly<Record<string, UpstreamJudge>> = {
  'cel-k8s-expressions': judgeExpressions({ comparesCost: true }),
  'cel-go-expressions': judgeExpressions({ comparesCost: false }),
  'cel-interpret': judgeInterpret,
  'cel-validate': judgeValidation,
  'cel-cost': (line, engine) => (line['kind'] === 'static' ? judgeStaticCost : judgeRuntimeCost)(line, engine),
  values: judgeValues,
  quantities: judgeQuantity,
};
