import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageGate } from './storage-gate.ts';
import { isUnavailable } from '../unavailable.ts';

describe('the gate in front of a storage', () => {
  beforeEach(() =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance', 'Date'] }),
  );
  afterEach(() => vi.useRealTimers());

  /**
   * Returns a storage gate and `state`. The test sets the answer of the gate's probe (test write) in `state.answer`; `state.probes` counts
   * the probes.
   */
  function scene() {
    const state = { answer: (): Promise<void> => Promise.resolve(), probes: 0 };
    const gate = new StorageGate(() => {
      state.probes++;
      return state.answer();
    });
    return { gate, state };
  }
  const outcome = (requested: Promise<unknown>): Promise<string> =>
    requested.then(
      () => 'passed',
      (error: unknown) => (isUnavailable(error) ? (error as Error).message : `other: ${String(error)}`),
    );
  const FULL = Object.assign(new Error('OOM command not allowed'), { name: 'ReplyError' });

  it('asks the storage once for all callers within a second', async () => {
    const { gate, state } = scene();
    expect(await Promise.all([1, 2, 3].map(() => outcome(gate.pass())))).toEqual(['passed', 'passed', 'passed']);
    expect(state.probes).toBe(1);
    vi.advanceTimersByTime(1100);
    await gate.pass();
    expect(state.probes).toBe(2);
  });

  it('fails after a second without an answer, and then at once until the storage answers', async () => {
    const { gate, state } = scene();
    state.answer = () => new Promise<void>(() => undefined);
    const first = outcome(gate.passToRead());
    await vi.advanceTimersByTimeAsync(1001);
    expect(await first).toBe('the storage does not serve: no answer within 1000 ms');
    expect(await outcome(gate.pass())).toBe('the storage does not serve: no answer within 1000 ms');
    state.answer = () => Promise.resolve();
    await vi.advanceTimersByTimeAsync(3000);
    expect(await outcome(gate.pass())).toBe('passed');
  });

  it('permits reads from a full storage', async () => {
    const { gate, state } = scene();
    state.answer = () => Promise.reject(FULL);
    expect(await outcome(gate.pass())).toBe('the storage does not serve: OOM command not allowed');
    expect(await outcome(gate.passToRead())).toBe('passed');
  });

  it('ends a running read when the storage stops answering', async () => {
    const { gate, state } = scene();
    const reading = outcome(gate.whileAnswering(() => new Promise(() => undefined)));
    await vi.advanceTimersByTimeAsync(10);
    state.answer = () => Promise.reject(new Error('Connection is closed.'));
    await vi.advanceTimersByTimeAsync(3000);
    expect(await reading).toBe('the storage does not serve: Connection is closed.');
  });
});
