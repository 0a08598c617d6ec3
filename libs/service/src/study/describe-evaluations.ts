import { definitionText, serverOf } from '#evaluation';
import type { EvaluationText, PlacedFindings } from '#benchmark';
import type { Engine } from '../ports.ts';
import type { StudyRequest } from './study-request.ts';

/** A rule with the evaluation in its dearest write. */
export interface DescribedRule {
  readonly rule: PlacedFindings;
  readonly evaluation: EvaluationText;
}

/** Describes the evaluation of each rule in its dearest write, for engines outside Assay. Leaves out rules that do not hold there. */
export async function describeEvaluations(
  engine: Engine,
  { definitions, options }: Pick<StudyRequest, 'definitions' | 'options'>,
  rules: readonly PlacedFindings[],
  signal: AbortSignal,
): Promise<readonly DescribedRule[]> {
  const texts = new Map(definitions.map(({ source, slice }) => [source, definitionText(slice, serverOf(options))]));
  const described: DescribedRule[] = [];
  for (const rule of rules) {
    const definition = texts.get(rule.source);
    if (definition === undefined || rule.worst === undefined) continue;
    const { version, path } = rule;
    const cell = { kind: 'evaluation', rule: { version, path }, worst: rule.worst.plan } as const;
    const answer = await engine.run({ kind: 'study', definition, base: undefined, cell }, { signal });
    // The findings of a cell are of its kind.
    const evaluation = answer.kind === 'done' ? (answer.result as EvaluationText | undefined) : undefined;
    if (evaluation !== undefined) described.push({ rule, evaluation });
  }
  return described;
}
