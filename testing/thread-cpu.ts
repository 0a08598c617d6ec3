/**
 * Returns the CPU time of this thread since it began, in ms (user and system). Kernels without a fine clock count this time in ticks of
 * some ms.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the mean thread CPU time of one call of `run`, in ms. Calls `run` until the clock has advanced by `atLeastMs`. The measurement
 * begins and ends at a tick of the clock, so that a coarse clock adds an error of at most one call.
 *
 * @param now the clock, for tests
 */
export function cpuMsOfRun(run: () => void, atLeastMs: number, now: () => number = threadCpuMs): number {
  const before = now();
  let started = before;
  while (started === before) started = now();
  let runs = 0;
  let passed = 0;
  do {
    run();
    runs += 1;
    passed = now() - started;
  } while (passed < atLeastMs);
  return passed / runs;
}
