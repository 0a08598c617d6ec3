import { serverWork } from '#benchmark';
import { compileStoredDefinition, loneRules } from '#crd';
import type { LoneRule } from '#crd';
import { readJson } from '#go';
import type { JsonValue } from '#go';
import { LATEST_MINOR } from '#kube';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { CALIBRATION_RULES } from './calibration-rules.ts';
import type { CalibrationRule } from './calibration-rules.ts';
import type { RuleEvaluation } from './rule-evaluations.ts';

/** Evaluates the rules of the calibration on all their sizes. Throws for a rule that does not compile, or does not hold. */
export function calibrationEvaluations(): RuleEvaluation[] {
  return CALIBRATION_RULES.flatMap((rule) => rule.sizes.map((size) => evaluated(rule, size)));
}

function evaluated({ rule, value, schema }: CalibrationRule, size: number): RuleEvaluation {
  const ruled = { ...schema(size), 'x-kubernetes-validations': [{ rule }] };
  const lone = loneRule(ruled);
  const text = JSON.stringify(value(size));
  const evaluation = lone.evaluate(read(text), undefined, { costLimit: Number.MAX_SAFE_INTEGER, token: undefined });
  const { checked, error } = lone.rule;
  if (checked === undefined || evaluation?.readings === undefined) throw new Error(`${rule}: ${error}`);
  if (evaluation.value !== true) throw new Error(`${rule} does not hold at ${size}`);
  const work = serverWork(checked, evaluation.readings);
  return { name: `${rule} ${size}`, rule, size, schema: ruled, root: false, value: text, old: undefined, work, cost: evaluation.cost };
}

/** Compiles a schema's rule, to be measured. */
function loneRule(schema: object): LoneRule {
  const document = customDefinition({ kind: 'Timed', schema: { type: 'object', properties: { spec: schema } } });
  const compiled = compileStoredDefinition(read(JSON.stringify(document)), { minor: LATEST_MINOR, engine: 'measured' });
  const served = compiled.ok ? compiled.definition.serve('v1') : undefined;
  const [lone] = served?.ok === true ? loneRules(served.version) : [];
  if (lone === undefined) throw new Error('a definition of the calibration does not compile');
  return lone;
}

function read(text: string): JsonValue {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error);
  return reading.value;
}
