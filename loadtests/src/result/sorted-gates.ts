import type { Gate } from './summary.ts';

/** Gates by verdict. */
export interface SortedGates<G extends Pick<Gate, 'verdict'>> {
  readonly held: readonly G[];
  readonly failed: readonly G[];
  readonly notMeasured: readonly G[];
}

/** Sorts gates by verdict, each in its order. */
export function sortGates<G extends Pick<Gate, 'verdict'>>(gates: readonly G[]): SortedGates<G> {
  const of = (verdict: Gate['verdict']): G[] => gates.filter((gate) => gate.verdict === verdict);
  return { held: of('holds'), failed: of('fails'), notMeasured: of('not measured') };
}

/** What became of gates, as a heading: `all 5 gates hold`, `1 of 5 gates fails`, `3 of 5 gates hold, 2 were not measured`. */
export function gatesText(gates: readonly Pick<Gate, 'verdict'>[]): string {
  const { held, failed, notMeasured } = sortGates(gates);
  const all = gates.length;
  if (all === 0) return 'there are no gates';
  if (all === 1)
    return failed.length > 0 ? 'the only gate fails' : held.length > 0 ? 'the only gate holds' : 'the only gate was not measured';
  if (notMeasured.length === all) return `none of ${all} gates was measured`;
  if (held.length === all) return `all ${all} gates hold`;
  const told = failed.length > 0 ? failed.length : held.length;
  const [one, more] = failed.length > 0 ? ['fails', 'fail'] : ['holds', 'hold'];
  const rest = notMeasured.length === 0 ? '' : `, ${notMeasured.length} ${notMeasured.length === 1 ? 'was' : 'were'} not measured`;
  return `${told} of ${all} gates ${told === 1 ? one : more}${rest}`;
}
