/** Returns the time of {@link steadyNow} with a fraction, as precise as the measurements of threads. */
export const epochNow = (): number => performance.timeOrigin + performance.now();

/**
 * Returns the time in whole epoch ms by a clock that never goes backward. It adds the time since the start of this process to the wall
 * clock at that start. Leases, deadlines and retention times use this clock, so that corrections of the wall clock do not affect them. The
 * clocks of two processes can differ, because the wall clock may have been corrected between their starts. Processes therefore exchange
 * remaining times instead of points in time.
 */
export const steadyNow = (): number => Math.floor(epochNow());
