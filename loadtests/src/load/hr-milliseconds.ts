/** Returns the monotonic clock that all threads of a process share, ms. */
export const hrMilliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;
