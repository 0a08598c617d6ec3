import { definitionText, serverOf } from '#documents';
import type { CellFindings, EvaluationText, PlacedFindings } from '#benchmark';
import type { Engine } from '../ports.ts';
import type { StudyRequest } from './study-request.ts';

/** Rule, with a description of its evaluation in the most expensive create or update request that a study found for the rule. */
export interface DescribedRule {
  readonly rule: PlacedFindings;
  readonly evaluation: EvaluationText;
}

/** Rule, with the most expensive create or update request that a study found for it. `item` contains this request. */
export interface DescribedWrite {
  readonly rule: PlacedFindings;
  /** Write as an item of an evaluation, in JSON. */
  readonly item: string;
}

/** Parts of a study's request that are needed to describe evaluations and writes. */
type Studied = Pick<StudyRequest, 'definitions' | 'options'>;

/**
 * Returns, for each rule, a description of one evaluation of the rule in its most expensive write (create or update of an object). Other
 * CEL engines can repeat the evaluation from this description. The result omits a rule if no write was found, or if the rule is not true
 * for the write.
 */
export async function describeEvaluations(
  engine: Engine,
  studied: Studied,
  rules: readonly PlacedFindings[],
  signal: AbortSignal,
): Promise<readonly DescribedRule[]> {
  const described: DescribedRule[] = [];
  for await (const [rule, evaluation] of cellsOf('evaluation', rules, { engine, studied, signal })) described.push({ rule, evaluation });
  return described;
}

/**
 * Returns the most expensive write request that a study found for each rule. Each request has the form that an element of `objects` has in
 * `POST /evaluate`, so that it can be sent to a service. Rules without such a request are left out.
 */
export async function describeWrites(
  engine: Engine,
  studied: Studied,
  rules: readonly PlacedFindings[],
  signal: AbortSignal,
): Promise<readonly DescribedWrite[]> {
  const described: DescribedWrite[] = [];
  for await (const [rule, item] of cellsOf('write', rules, { engine, studied, signal })) described.push({ rule, item });
  return described;
}

interface Describing {
  readonly engine: Engine;
  readonly studied: Studied;
  readonly signal: AbortSignal;
}

/**
 * Performs a cell of a study on the most expensive write that was found for each rule. The cell has the given kind. Yields each rule for
 * which the cell returns findings.
 */
async function* cellsOf<Kind extends 'evaluation' | 'write'>(
  kind: Kind,
  rules: readonly PlacedFindings[],
  { engine, studied: { definitions, options }, signal }: Describing,
): AsyncGenerator<readonly [rule: PlacedFindings, found: NonNullable<CellFindings[Kind]>]> {
  const wanted: 'evaluation' | 'write' = kind;
  const texts = new Map(definitions.map(({ source, slice }) => [source, definitionText(slice, serverOf(options))]));
  for (const rule of rules) {
    const definition = texts.get(rule.source);
    if (definition === undefined || rule.worst === undefined) continue;
    const { version, path } = rule;
    const cell = { kind: wanted, rule: { version, path }, worst: rule.worst.plan };
    const answer = await engine.run({ kind: 'study', definition, base: undefined, cell }, { signal });
    // The findings have the type that belongs to the kind of the cell.
    const found = answer.kind === 'done' ? (answer.result as CellFindings[Kind]) : undefined;
    if (found !== undefined) yield [rule, found];
  }
}
