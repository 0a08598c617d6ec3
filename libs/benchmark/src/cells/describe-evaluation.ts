import { PER_CALL_LIMIT } from '#kube';
import { writeJson } from '#go';
import { dearestValue } from '../study/dearest-value.ts';
import type { CellSubjects } from './cell-ports.ts';
import { schemaOfNode } from './schema-of-node.ts';
import type { EvaluationCell, EvaluationText } from './study-cell.ts';

/**
 * Returns an evaluation as an input line for the program `loadtests/go/rule-times`. That program measures the evaluation's time with the
 * libraries of Kubernetes.
 */
export function evaluationLine(name: string, { schema, root, value, old }: Omit<EvaluationText, 'cost'>): string {
  const before = old === undefined ? '' : `,"old":${old}`;
  return `{"name":${JSON.stringify(name)},"schema":${schema},"root":${root},"object":${value}${before}}\n`;
}

/**
 * Describes, as JSON texts, one evaluation of a rule in the generated write (create or update of an object) of the plan `worst`. Returns
 * undefined if the rule or the definition's source document is missing. Also returns undefined if the rule does not evaluate to true, for
 * example because a cost limit ends the evaluation.
 */
export function describeEvaluation({ rule: key, worst }: EvaluationCell, { head, source }: CellSubjects): EvaluationText | undefined {
  const found = head('adaptive').find(key);
  if (found === undefined || source === undefined) return undefined;
  const written = dearestValue(found, worst, PER_CALL_LIMIT);
  const schema = schemaOfNode(source(), found.rule);
  if (written === undefined || schema === undefined) return undefined;
  const { value, old, cost } = written;
  return {
    schema: writeJson(schema),
    root: found.rule.steps.length === 0,
    value: writeJson(value),
    cost,
    ...(old !== undefined && { old: writeJson(old) }),
  };
}
