/**
 * Returns whole epoch ms by a clock that only goes forward: the wall clock at the start of this process, and the time since then. Leases, deadlines and
 * retention times use it, so that no correction of the wall clock ends or prolongs them. Clocks of two processes may differ by the corrections between
 * their starts. So processes exchange remaining times, not points in time.
 */
export const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());
