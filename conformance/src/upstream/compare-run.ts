import type { JsonObject, JsonValue } from '#go';
import type { CelValue } from '#cel';
import type { UpstreamAnswer } from '../upstream-answer.ts';
import { recordedText, recordedValue, valueText } from './recorded-value.ts';
import type { Run } from './run-expression.ts';

/** Result of a comparison in which Assay and upstream agree. */
export const AGREE: UpstreamAnswer = { kind: 'agree' };

/** Returns the result for a record that is not compared, with the reason. */
export const skip = (reason: string): UpstreamAnswer => ({ kind: 'skip', reason });

/** Returns the result for a record in which Assay's answer differs from upstream's. `verdict` is true if even the verdicts differ. */
export const differ = (what: string, golden: string, ours: string, { verdict = true } = {}): UpstreamAnswer => ({
  kind: 'differ',
  verdict,
  what,
  golden,
  ours,
});

/** Returns a recorded member if it is a string, and '' otherwise. */
export const textOrEmpty = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Recorded result, error and cost of one evaluation. */
interface Recorded {
  readonly result: JsonValue | undefined;
  readonly error: JsonValue | undefined;
  readonly cost: JsonValue | undefined;
}

/**
 * Compares the result of running an expression with the recorded result or error, and with the recorded cost if there is one. Skips values
 * that exist only in Go.
 */
export function compareRun(run: Run, { result, error, cost }: Recorded): UpstreamAnswer {
  const ours = !run.ok ? `error(${run.error})` : valueText(run.evaluation.value);
  const golden = error === undefined ? recordedText(result ?? null) : `error(${textOrEmpty(error)})`;
  if (golden === undefined) return skip('a value that only Go has');
  if (golden !== ours) {
    const verdict = (error !== undefined) !== ours.startsWith('error(');
    return differ(error === undefined ? 'value' : 'error text', golden, ours, { verdict: verdict || error === undefined });
  }
  const spent = run.ok ? String(run.evaluation.cost) : '0';
  return cost === undefined || String(cost) === spent ? AGREE : differ('cost', String(cost), spent, { verdict: false });
}

/**
 * Returns the recorded variables whose names occur in `text`. Returns undefined if one of these variables has a value that exists only in
 * Go.
 */
export function variablesOf(recorded: JsonValue | undefined, text: string): Readonly<Record<string, CelValue>> | undefined {
  const values: Record<string, CelValue> = {};
  for (const [name, value] of Object.entries((recorded ?? {}) as JsonObject)) {
    const read = recordedValue(value);
    if (read !== undefined) values[name] = read;
    else if (text.includes(name)) return undefined;
  }
  return values;
}
