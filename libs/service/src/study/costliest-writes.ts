import type {
  CellFindings,
  EvaluationText,
  PlacedFindings,
  PredictedTime,
  PricedWrite,
  SizeLadder,
  StudyCell,
  WriteTerms,
} from '#benchmark';
import { definitionText, serverOf } from '#documents';
import type { DocumentSlice } from '#documents';
import type { Engine } from '../ports.ts';
import type { StudyRequest } from './study-order.ts';

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
    // TypeScript cannot see that the type of the findings belongs to the kind of the cell.
    const found = answer.kind === 'done' ? (answer.result as CellFindings[Kind]) : undefined;
    if (found !== undefined) yield [rule, found];
  }
}

/** Engine, options and signal with which writes are priced. */
export interface Pricing {
  readonly engine: Engine;
  readonly options: StudyRequest['options'];
  readonly signal: AbortSignal;
  /** Name under which objects are created. */
  readonly name: string;
}

/**
 * Returns the most expensive create that a study found for a rule, and smaller ones, with costs and predicted times. `definition` contains
 * the rule. Creates that are predicted to take over `maxMs` ms are left out. Returns the reason if there is no such create.
 */
export async function ladderOf(definition: DocumentSlice, rule: PlacedFindings, maxMs: number, pricing: Pricing): Promise<SizeLadder> {
  const { version, path, worst } = rule;
  if (worst === undefined) return { kind: 'none', reason: rule.notStudied ?? rule.obstacle ?? 'no write was found' };
  const cell = { kind: 'ladder', rule: { version, path }, worst: worst.plan, maxMs, ...termsOf(pricing) } as const;
  const answer = await perform(cell, definition, pricing);
  return typeof answer === 'string' ? { kind: 'none', reason: answer } : answer;
}

/**
 * Returns the cost and the predicted time of creating an object. `object` is JSON, and `version` is its API version, such as `v1`. Returns a
 * text with the reason if the object cannot be priced.
 */
export async function priceObject(
  definition: DocumentSlice,
  { object, version }: { readonly object: string; readonly version: string },
  pricing: Pricing,
): Promise<PricedWrite | string> {
  const answer = await perform({ kind: 'price', object, version, ...termsOf(pricing) }, definition, pricing);
  return answer ?? 'the object cannot be read';
}

/**
 * Returns the predicted time of one evaluation of a rule in its most expensive write. `definition` contains the rule. Measures no times. Returns
 * a text with the reason if the rule cannot be evaluated.
 */
export async function predictRule(
  definition: DocumentSlice,
  { version, path, worst }: PlacedFindings,
  pricing: Omit<Pricing, 'name'>,
): Promise<PredictedTime | string> {
  if (worst === undefined) return 'no write was found';
  // With 0 ms, the cell measures nothing, and only predicts the time.
  const cell = { kind: 'times', rule: { version, path }, worst: worst.plan, ms: 0, seed: 1 } as const;
  const answer = await perform(cell, definition, pricing);
  return typeof answer === 'string' ? answer : answer.serverTime;
}

const termsOf = ({ name, options: { fieldValidation } }: Pricing): WriteTerms => ({ name, fieldValidation });

/** Performs a cell. Resolves with its findings, or with a text with the reason why there are none. */
async function perform<Cell extends Extract<StudyCell, { kind: 'ladder' | 'price' | 'times' }>>(
  cell: Cell,
  definition: DocumentSlice,
  { engine, options, signal }: Omit<Pricing, 'name'>,
): Promise<CellFindings[Cell['kind']] | string> {
  const text = definitionText(definition, serverOf(options));
  const answer = await engine.run({ kind: 'study', definition: text, base: undefined, cell }, { signal });
  if (answer.kind === 'done') return answer.result as CellFindings[Cell['kind']];
  return answer.kind === 'cancelled' ? 'the search was stopped' : 'the work ended its thread';
}
