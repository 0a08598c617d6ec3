import { compileStoredDefinition } from '#crd';
import type { LoneRule } from '#crd';
import { LATEST_MINOR } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { parsed } from '../../workloads/judging.ts';
import { calibrationRules } from './calibration-rules.ts';
import type { CalibrationRule } from './calibration-rules.ts';
import { evaluateRule, rulesOf } from './rule-evaluations.ts';
import type { RuleEvaluation } from './rule-evaluations.ts';

/** Evaluates each calibration rule on values of all its sizes. Throws if a rule does not compile or is not satisfied. */
export function calibrationEvaluations(): RuleEvaluation[] {
  return calibrationRules().flatMap((rule) => rule.sizes.map((size) => evaluated(rule, size)));
}

function evaluated({ rule, value, schema }: CalibrationRule, size: number): RuleEvaluation {
  const ruled = { ...schema(size), 'x-kubernetes-validations': [{ rule }] };
  const { self } = parsed({ self: value(size) });
  const evaluation =
    self === undefined
      ? undefined
      : evaluateRule(loneRule(ruled), `${rule} ${size}`, JSON.stringify(ruled), { value: self, old: undefined });
  if (evaluation === undefined) throw new Error(`${rule} does not hold at ${size}`);
  return evaluation;
}

/** Compiles the rule of a schema, so that it can be measured. */
function loneRule(schema: object): LoneRule {
  const document = customDefinition({ kind: 'Timed', schema: { type: 'object', properties: { spec: schema } } });
  const compiled = compileStoredDefinition(parsed(document), { minor: LATEST_MINOR, engine: 'measured' });
  const [lone] = rulesOf(compiled.ok ? compiled.definition : undefined);
  if (lone === undefined) throw new Error('a definition of the calibration does not compile');
  return lone;
}
