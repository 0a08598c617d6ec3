/**
 * Epoch ms, whole ones, by a clock that only goes forward, second by second: the wall clock when this process began, and what has passed since. Leases, deadlines and
 * times for which things are kept count by it, so that no correction of the wall clock ends or prolongs them. Two processes may disagree by what the wall
 * clock was corrected between their starts: between processes a time is given as what is left of it.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
