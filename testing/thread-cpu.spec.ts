import { expect, it } from 'vitest';
import { cpuMsOfRun, threadCpuMs } from './thread-cpu.ts';

it('the measured CPU time of a thread excludes the time in which the thread sleeps', async () => {
  const [cpu, wall] = [threadCpuMs(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(threadCpuMs() - cpu).toBeLessThan((performance.now() - wall) / 2);
});

it.each([0.001, 1, 4, 10])('the CPU time of a run is measured with a clock step of %d ms', (step) => {
  let worked = 0.7;
  const now = (): number => Math.floor((worked += 0.0005) / step) * step;
  const ms = cpuMsOfRun(() => void (worked += 0.25), 40, now);
  expect(ms).toBeGreaterThan(0.249);
  expect(ms).toBeLessThan(0.256);
});

it('the measured function runs at least once', () => {
  let time = 0;
  let runs = 0;
  expect(
    cpuMsOfRun(
      () => {
        runs += 1;
        time += 100;
      },
      40,
      () => (time += 1),
    ),
  ).toBe(101);
  expect(runs).toBe(1);
});
