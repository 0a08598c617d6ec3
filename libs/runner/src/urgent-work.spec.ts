import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { CancellationFlag } from '#go';
import { PausingToken, UrgentWork } from './urgent-work.ts';

describe('a study while other work runs', () => {
  it('pauses for a limited time, and does not count the pauses', () => {
    const urgent = new UrgentWork();
    const token = new PausingToken(new CancellationFlag(), urgent);
    expect([token.cancelled, token.pausedMs]).toEqual([false, 0]);
    urgent.set(1);
    const before = performance.now();
    expect(token.cancelled).toBe(false);
    expect(token.pausedMs).toBeGreaterThan(40);
    expect(performance.now() - before).toBeGreaterThanOrEqual(token.pausedMs);
    // The study works for a slice before it pauses again.
    const paused = token.pausedMs;
    expect(token.cancelled).toBe(false);
    expect(token.pausedMs).toBe(paused);
    urgent.set(0);
    while (performance.now() - before < 200) expect(token.cancelled).toBe(false);
    expect(token.pausedMs).toBe(paused);
  });

  it('continues as soon as there is no other work', async () => {
    const urgent = new UrgentWork();
    urgent.set(2);
    const wait = `const { workerData, parentPort } = require('node:worker_threads');
      const threads = new Int32Array(workerData);
      parentPort.postMessage(Atomics.wait(threads, 0, 2, 30000));`;
    const worker = new Worker(wait, { eval: true, workerData: urgent.shared });
    await new Promise((resolve) => worker.once('online', resolve));
    urgent.set(1);
    urgent.set(0);
    expect(['ok', 'not-equal']).toContain(await new Promise((resolve) => worker.once('message', resolve)));
    await worker.terminate();
  });

  it('can be stopped during a pause', () => {
    const urgent = new UrgentWork();
    urgent.set(1);
    const flag = new CancellationFlag();
    flag.cancel();
    expect(new PausingToken(flag, urgent).cancelled).toBe(true);
  });
});
