/** Numbers of steps that a server does, by kind of step (`amounts`), and the time in ns of all these steps together (`ns`). */
export interface WorkPoint {
  readonly amounts: Readonly<Record<string, number>>;
  readonly ns: number;
}

const ROUNDS = 40;
const SWEEPS = 60;
/** Regularization term that keeps a coefficient from drifting if the points do not determine it. */
const RIDGE = 1e-9;

/**
 * Fits the time in ns of each kind of step by least squares of the logarithms. No time is negative.
 *
 * Each round linearizes the logarithm around the previous fit and solves by coordinate descent.
 */
export function fitNanoseconds(points: readonly WorkPoint[]): Record<string, number> {
  const kinds = [...new Set(points.flatMap(({ amounts }) => Object.keys(amounts)))];
  const rows = points.map(({ amounts }) => kinds.map((kind) => amounts[kind] ?? 0));
  const times = points.map(({ ns }) => ns);
  const nothing = kinds.map(() => 0);
  let fit = descend(rows, times, times, nothing);
  for (let round = 0; round < ROUNDS; round++) {
    const predicted = rows.map((row) => Math.max(1e-3, dot(row, fit)));
    const wanted = predicted.map((p, i) => p * (1 + Math.max(-1, Math.min(1, Math.log((times[i] as number) / p)))));
    const next = descend(rows, wanted, predicted, fit);
    fit = fit.map((x, i) => (x + (next[i] as number)) / 2);
  }
  return Object.fromEntries(kinds.map((kind, i) => [kind, rounded(fit[i] as number)]));
}

/** Minimizes the sum of squares of (row · x − wanted) ÷ scale over x ≥ 0, starting from `start`. */
function descend(
  rows: readonly (readonly number[])[],
  wanted: readonly number[],
  scale: readonly number[],
  start: readonly number[],
): number[] {
  const scaled = rows.map((row, i) => row.map((value) => value / (scale[i] as number)));
  const fit = [...start];
  const rest = scaled.map((row, i) => (wanted[i] as number) / (scale[i] as number) - dot(row, fit));
  const columns = fit.map((_, j) => scaled.flatMap((row, i) => (row[j] === 0 ? [] : [[i, row[j] as number] as const])));
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const [j, column] of columns.entries()) {
      let [gain, weight] = [0, 0];
      for (const [i, value] of column) {
        gain += value * (rest[i] as number);
        weight += value * value;
      }
      if (weight === 0) continue;
      const moved = Math.max(0, (fit[j] as number) + gain / (weight * (1 + RIDGE)));
      const step = moved - (fit[j] as number);
      if (step === 0) continue;
      fit[j] = moved;
      for (const [i, value] of column) rest[i] = (rest[i] as number) - step * value;
    }
  return fit;
}

const dot = (row: readonly number[], by: readonly number[]): number => row.reduce((sum, value, i) => sum + value * (by[i] as number), 0);

/** Rounds a time to three significant digits. Times below a thousandth of a nanosecond become 0. */
const rounded = (ns: number): number => (ns < 1e-3 ? 0 : Number(ns.toPrecision(3)));
