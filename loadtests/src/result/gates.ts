import { NOT_MEASURED } from '#numbers';
import type { Gate } from './summary.ts';

/** Returns a {@link Gate} that holds if `actual` equals `expected`. If `actual` is undefined, the gate counts as not measured. */
export function equalGate(name: string, measure: Gate['measure'], expected: string | number, actual: string | number | undefined): Gate {
  return gate(
    { name, measure, expected: String(expected), actual: actual === undefined ? undefined : String(actual) },
    (seen) => seen === String(expected),
  );
}

/**
 * Returns a gate that holds if `figure` is at most `most`. If `figure` is undefined, the gate counts as not measured. `unit` is written
 * after both figures.
 */
export function boundGate(
  name: string,
  measure: Gate['measure'],
  { figure, most, unit }: { readonly figure: number | undefined; readonly most: number; readonly unit: string },
): Gate {
  const actual = figure === undefined ? undefined : `${figure} ${unit}`;
  return gate({ name, measure, expected: `at most ${most} ${unit}`, actual }, () => figure !== undefined && figure <= most);
}

/**
 * Returns a {@link Gate} whose verdict is the result of `holds` for `actual`. If `actual` is undefined, the gate counts as not measured.
 */
export function gate(
  { name, measure, expected, actual }: Pick<Gate, 'name' | 'measure' | 'expected'> & { readonly actual: string | undefined },
  holds: (seen: string) => boolean,
): Gate {
  if (actual === undefined) return { name, measure, expected, actual: NOT_MEASURED, verdict: 'not measured' };
  return { name, measure, expected, actual, verdict: holds(actual) ? 'holds' : 'fails' };
}
