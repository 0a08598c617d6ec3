import { WholeObject } from '../object/whole-object.ts';
import type { WholeTrial } from '../object/whole-object.ts';
import type { Candidate } from '../search/rule-probe.ts';
import type { FieldChoice, ValuePlan } from '../values/choice.ts';
import type { CellPorts, CellSubjects } from './studied-definition.ts';
import { COMPILED } from './studied-definition.ts';
import { priceWrite } from './price-write.ts';
import type { PricedWrite } from './price-write.ts';
import type { LadderCell } from './study-cell.ts';
import { candidateOf } from './write-plan.ts';

/** Write of a ladder of sizes. */
export interface LadderRung extends PricedWrite {
  /** Size of the largest field of the object: elements of a list, entries of a map, or code points of a text. */
  readonly size: number;
}

/** Creates of objects of different sizes, the smallest first, or the reason why no create evaluates the rule at its highest cost. */
export type SizeLadder =
  | {
      readonly kind: 'ladder';
      readonly rungs: readonly LadderRung[];
      /** True if larger creates are left out, because they are predicted to take longer than the limit. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Parts of the sizes of the largest object that a ladder has. The smallest tells the fixed part of a time. The sizes above a half tell most
 * about the exponent of the growing part.
 */
const PARTS = [1 / 16, 1 / 4, 1 / 2, 3 / 4, 1];
/** Highest number of halvings of the sizes until an object fits, and of steps that then approach the largest size that fits. */
const [MAX_HALVINGS, REFINEMENTS] = [16, 4];

/**
 * Builds the most expensive create of a rule that the definition accepts within the time limit. Adds smaller ones, down to a sixteenth of
 * its sizes. If the definition refuses a still more expensive one for its cost, the ladder has this one, too.
 */
export function sizeLadder({ rule: key, worst, maxMs, ...terms }: LadderCell, { head }: CellSubjects, ports: CellPorts): SizeLadder {
  const [found, measured] = [head(COMPILED.name).find(key), head('measured')];
  if (found === undefined) return { kind: 'none', reason: 'the rule is not there' };
  const { definition, writing } = found.among;
  const whole = new WholeObject(definition, found.rule, writing);
  const candidate = candidateOf(worst);
  const at = (part: number): WholeTrial => whole.judge({ ...candidate, plan: scaled(candidate.plan, part) }, ports.token);
  const priced = (trial: WholeTrial, part: number): LadderRung | undefined => {
    const write = trial.kind === 'judged' ? priceWrite(measured, { object: trial.object, version: key.version }, terms, ports) : undefined;
    return write && { ...write, size: largestSize(scaled(candidate.plan, part)) };
  };
  const full = at(1);
  if (full.kind !== 'judged') return { kind: 'none', reason: full.kind === 'refused' ? full.reason : 'the search was stopped' };
  if (full.write.subresource !== undefined) return { kind: 'none', reason: 'it is a write of the status, which needs a stored object' };
  if (full.write.operation !== 'CREATE') return { kind: 'none', reason: 'it is an update, which needs a stored object' };
  let isCut = false;
  const fits = (part: number): boolean => {
    const trial = part === 1 ? full : at(part);
    const rung = trial.kind === 'judged' && trial.isAccepted ? priced(trial, part) : undefined;
    const isTooLong = rung?.serverTime.kind === 'predicted' && rung.serverTime.ms > maxMs;
    isCut ||= isTooLong;
    return rung?.isAccepted === true && !isTooLong;
  };
  const top = fits(1) ? 1 : largestFitting(fits);
  const rungs = (top === undefined ? [] : PARTS.map((part) => part * top)).flatMap((part) => {
    const rung = priced(at(part), part);
    return rung?.isAccepted === true ? [rung] : [];
  });
  const refused = full.isAccepted || isCut ? undefined : priced(full, 1);
  return { kind: 'ladder', rungs: [...distinct(rungs), ...(refused ? [refused] : [])], isCut };
}

/** Returns the largest part of the sizes that fits, approximately. Returns undefined if none fits. */
function largestFitting(fits: (part: number) => boolean): number | undefined {
  let part = 1 / 2;
  let isFitting = fits(part);
  for (let i = 1; i < MAX_HALVINGS && !isFitting; i++) {
    part /= 2;
    isFitting = fits(part);
  }
  if (!isFitting) return undefined;
  let over = 2 * part;
  for (let i = 0; i < REFINEMENTS; i++) {
    const middle = (part + over) / 2;
    if (fits(middle)) part = middle;
    else over = middle;
  }
  return part;
}

/** Returns a plan in which all sizes are reduced to a part. A size that is not 0 stays above 0. */
const scaled = (plan: ValuePlan, part: number): ValuePlan =>
  plan.map((choice): FieldChoice => (choice.size === undefined ? choice : { ...choice, size: Math.ceil(choice.size * part) }));

const largestSize = (plan: Candidate['plan']): number => Math.max(0, ...plan.fields.map((field) => plan.at(field)?.size ?? 0));

/** Leaves out writes that are as large and as expensive as another one. */
const distinct = (rungs: readonly LadderRung[]): readonly LadderRung[] => [
  ...new Map(rungs.map((rung) => [`${rung.bytes} ${rung.cost}`, rung])).values(),
];
