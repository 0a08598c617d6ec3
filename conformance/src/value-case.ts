import { validateValue } from '#crd';
import type { JsonObject } from '#go';
import { CaseProblem, numberField } from './case-context.ts';
import type { CaseContext } from './case-context.ts';
import { errorJson, jsonObject, nonEmpty } from './verdict-json.ts';

/** Computes the verdict on a case of kind `value`: one value against one schema, without metadata. */
export function judgeValueCase(test: JsonObject, context: CaseContext): JsonObject {
  const result = validateValue(test['schema'] ?? jsonObject({ type: 'object' }), {
    minor: context.minor,
    engine: context.engine,
    resourceRoot: test['root'] === true,
    value: test['self'] ?? null,
    oldValue: test['oldSelf'],
    costLimit: numberField(test, 'costLimit'),
    budget: numberField(test, 'budget'),
  });
  if (!result.ok) throw new CaseProblem(result.error);
  return jsonObject({ valid: result.errors.length === 0, errors: nonEmpty(result.errors.map(errorJson)), celCost: result.celCost });
}
