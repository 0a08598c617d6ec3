/** Returns the time of a monotonic clock that all threads of a process share, in ms. */
export const hrMilliseconds = (): number => Number(process.hrtime.bigint()) / 1e6;
