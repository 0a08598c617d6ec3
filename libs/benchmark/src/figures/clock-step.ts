/** Changes of the clock that are looked at. */
const CHANGES = 4;
/** Readings after which a clock that does not change counts as fine. */
const MOST_READINGS = 200_000;

/** Returns the step of a clock, in its unit: the least change between two readings. Returns 0 if it does not change by itself. */
export function clockStep(now: () => number): number {
  let step = Infinity;
  let last = now();
  for (let reading = 0, changes = 0; changes < CHANGES; reading++) {
    if (reading === MOST_READINGS) return 0;
    const next = now();
    if (next === last) continue;
    step = Math.min(step, next - last);
    last = next;
    changes += 1;
  }
  return step;
}
