/** Number of changes of the clock that are observed to determine the clock's step. */
const CHANGES = 4;
/** Maximum number of readings. A clock that does not change within this number of readings is treated as having no steps. */
const MAX_READINGS = 200_000;

/**
 * Returns the step of a clock in the clock's unit: the smallest change between two readings. Returns 0 if the clock does not change within
 * 200,000 readings.
 */
export function clockStep(now: () => number): number {
  let step = Infinity;
  let last = now();
  for (let reading = 0, changes = 0; changes < CHANGES; reading++) {
    if (reading === MAX_READINGS) return 0;
    const next = now();
    if (next === last) continue;
    step = Math.min(step, next - last);
    last = next;
    changes += 1;
  }
  return step;
}
