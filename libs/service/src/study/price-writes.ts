import { definitionText, serverOf } from '#documents';
import type { CellFindings, PlacedFindings, PredictedTime, PricedWrite, SizeLadder, StudyCell, WriteTerms } from '#benchmark';
import type { DocumentSlice } from '#documents';
import type { Engine } from '../ports.ts';
import type { StudyRequest } from './study-request.ts';

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
  // A measurement of 0 ms only predicts.
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
