const digits = new Intl.NumberFormat('en');

/** A count as people read it: 5,894,144. */
export const countText = (count: number): string => digits.format(count);

/** Returns a cost as people read it; a very large one as a power of ten: 1.8 × 10^19. */
export const costText = (cost: string): string =>
  cost.length > 12 ? Number(cost).toExponential(1).replace('e+', ' × 10^') : countText(Number(cost));

/** A time as people read it: 0.4 ms, 12 ms, 1.3 s. */
export function timeText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}
