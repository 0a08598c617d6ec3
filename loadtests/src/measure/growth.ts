/** The exponent b of y ∝ xᵇ, with its 95 % interval. */
export interface Growth {
  readonly exponent: number;
  readonly lo: number;
  readonly hi: number;
  readonly points: number;
  /** The exponent between the two largest x alone: what is spent once flattens the other. */
  readonly last: number;
}

/** 97.5 % quantiles of Student's t by degrees of freedom, 1 to 12. */
const T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179] as const;
const FEWEST_POINTS = 3;

/** Fits a line through the logarithms by least squares; undefined for fewer than three points, or where two of the largest have the same x. Intervals of few points are wide, and rightly so. */
export function growthOf(points: readonly { readonly x: number; readonly y: number | undefined }[]): Growth | undefined {
  const logs = points
    .flatMap(({ x, y }) => (x > 0 && y !== undefined && y > 0 ? [[Math.log(x), Math.log(y)] as const] : []))
    .toSorted(([a], [b]) => a - b);
  const n = logs.length;
  if (n < FEWEST_POINTS) return undefined;
  if (logs[n - 1]?.[0] === logs[n - 2]?.[0]) return undefined;
  const meanX = logs.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = logs.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread;
  const residue = logs.reduce((sum, [x, y]) => sum + (y - meanY - exponent * (x - meanX)) ** 2, 0);
  const half = (T[Math.min(n - 2, T.length) - 1] ?? 2) * Math.sqrt(residue / (n - 2) / spread);
  const [x1, y1] = logs[n - 2] as readonly [number, number];
  const [x2, y2] = logs[n - 1] as readonly [number, number];
  return { exponent, lo: exponent - half, hi: exponent + half, points: n, last: (y2 - y1) / (x2 - x1) };
}
