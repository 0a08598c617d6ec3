import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluationLine, serverWork } from '#benchmark';
import type { EvaluationText, NodeValue, ServerWork } from '#benchmark';
import { loneRules } from '#crd';
import type { CompiledDefinition, LoneRule } from '#crd';
import { writeJson } from '#go';
import { buildGoProgram } from '../../engines/go-program.ts';

/** One rule on one value, for Assay and for Go. */
export interface RuleEvaluation extends EvaluationText {
  readonly name: string;
  readonly rule: string;
  /** Numbers of steps, such as field accesses and iterations, that a server does for the evaluation, as counted by Assay. */
  readonly work: ServerWork;
}

/** The measurement of an evaluation in Go. */
export interface RuleReading {
  /** CPU time of the thread in ns: the second percentile over all runs of the evaluation. */
  readonly ns: number;
  readonly cost: number;
  readonly error?: string;
}

/** Evaluation with its measurement in Go. */
export interface TimedEvaluation {
  readonly evaluation: RuleEvaluation;
  readonly reading: RuleReading;
}

/** Highest cost of an evaluation, in cost units. The measurement of more expensive evaluations takes too long. */
export const MAX_COST = 10_000_000;

/** Returns the rules of all versions of a definition; empty if `definition` is undefined. */
export function rulesOf(definition: CompiledDefinition | undefined): readonly LoneRule[] {
  return (definition?.versions ?? []).flatMap((name) => {
    const served = definition?.serve(name);
    return served?.ok === true ? loneRules(served.version) : [];
  });
}

/**
 * Evaluates a rule. `schema` is the JSON schema of the rule's node as text. Returns undefined if the rule is not satisfied or has no
 * type-checked form.
 */
export function evaluateRule(lone: LoneRule, name: string, schema: string, { value, old }: NodeValue): RuleEvaluation | undefined {
  const { checked, source } = lone.rule;
  const evaluation = lone.evaluate(value, old, { costLimit: MAX_COST, token: undefined });
  if (checked === undefined || evaluation?.readings === undefined || evaluation.value !== true) return undefined;
  return {
    name,
    rule: source.rule,
    schema,
    root: lone.steps.length === 0,
    value: writeJson(value),
    ...(old !== undefined && { old: writeJson(old) }),
    work: serverWork(checked, evaluation.readings),
    cost: evaluation.cost,
  };
}

/**
 * Measures evaluations with the real Go libraries. Returns a text with the reason if they cannot be measured. `leftOut` lists evaluations
 * whose cost or outcome differs in Go.
 */
export function timeEvaluations(
  evaluations: readonly RuleEvaluation[],
  quick: boolean,
): { readonly timed: readonly TimedEvaluation[]; readonly leftOut: readonly string[] } | string {
  const program = buildGoProgram('rule-times');
  if (typeof program === 'string') return program;
  const file = join(program.folder, 'evaluations.ndjson');
  writeFileSync(file, evaluations.map((one) => evaluationLine(one.name, one)).join(''));
  const readings = program.rows<RuleReading>(['-evaluations', file, '-min', quick ? '10ms' : '30ms']);
  program.close();
  if (readings.length !== evaluations.length) return `the Go program gave ${readings.length} of ${evaluations.length} readings`;
  const timed: TimedEvaluation[] = [];
  const leftOut: string[] = [];
  for (const [i, reading] of readings.entries()) {
    const evaluation = evaluations[i] as RuleEvaluation;
    if (reading.error !== undefined) leftOut.push(`${evaluation.name}: ${reading.error}`);
    else if (reading.cost !== evaluation.cost) leftOut.push(`${evaluation.name}: costs ${evaluation.cost}, in Go ${reading.cost}`);
    else timed.push({ evaluation, reading });
  }
  return { timed, leftOut };
}
