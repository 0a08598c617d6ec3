import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOT_RUN } from './engine.ts';
import type { RunAnswer } from './engine.ts';
import { RUN_LIMITS } from './limits.ts';
import type { Work } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import type { QuarantineHost } from './quarantine.ts';

const FIRST_TURN = RUN_LIMITS.quarantineTurnMs;
/** Returns work that occupies a thread of the test's host for `ms` ms. */
const workOf = (name: string, ms: number): Work => ({
  kind: 'documents',
  bytes: Buffer.from(name),
  notation: 'yaml',
  limits: { definitions: ms, objects: 0 },
});

/** Returns a host that spends on each task the time that the task specifies, and a list of the events of this host. */
function hostOfTime() {
  const happened: string[] = [];
  const host: QuarantineHost = {
    threads: 1,
    start: () => Promise.resolve(),
    stop: () => void happened.push('the host ends'),
    run: (work, { signal } = {}) =>
      new Promise((resolve) => {
        if (work.kind !== 'documents') throw new Error('other work');
        const name = Buffer.from(work.bytes).toString();
        const { definitions: ms } = work.limits;
        const beganAt = performance.now();
        happened.push(name);
        const over = setTimeout(() => resolve({ kind: 'done', result: name as never, spentMs: ms }), ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(over);
          resolve({ kind: 'cancelled', spentMs: performance.now() - beganAt });
        });
      }),
  };
  return { host, happened };
}

describe('the quarantine, in which tasks that broke an engine run again', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** Returns a quarantine, the events of its host, and the ends of its tasks in the order in which they ended. */
  function quarantineOf() {
    const { host, happened } = hostOfTime();
    const quarantine = new Quarantine(host);
    const ends: string[] = [];
    const suspect = (name: string, ms: number, signal?: AbortSignal): Promise<RunAnswer<unknown>> => {
      const answer = quarantine.run(workOf(name, ms), { ...(signal && { signal }) });
      void answer.then(({ kind }) => ends.push(`${name} ${kind}`));
      return answer;
    };
    return { quarantine, happened, ends, suspect };
  }

  it('runs one task at a time, in order', async () => {
    const { happened, suspect } = quarantineOf();
    const all = Promise.all([suspect('a', 5), suspect('b', 5), suspect('c', 5)]);
    await vi.advanceTimersByTimeAsync(7);
    expect(happened).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(10);
    expect(await all).toMatchObject([{ kind: 'done' }, { kind: 'done' }, { kind: 'done' }]);
  });

  it('interrupts a long task so that short tasks run first, and gives the long task more time at its next turn', async () => {
    const { happened, ends, suspect } = quarantineOf();
    for (const name of ['x', 'y']) void suspect(name, 1000 * FIRST_TURN);
    const short = Promise.all([suspect('a', 5), suspect('b', 5)]);
    await vi.advanceTimersByTimeAsync(2 * FIRST_TURN + 20);
    expect(await short).toMatchObject([{ kind: 'done' }, { kind: 'done' }]);
    await vi.advanceTimersByTimeAsync(3 * FIRST_TURN);
    expect(happened).toEqual(['x', 'y', 'a', 'b', 'x', 'y']);
    await vi.advanceTimersByTimeAsync(2 * FIRST_TURN);
    expect(happened.slice(6)).toEqual(['x']);
    // The turns are long by now, but a new task waits no longer than a first turn.
    void suspect('c', 5);
    await vi.advanceTimersByTimeAsync(FIRST_TURN + 10);
    expect(ends).toEqual(['a done', 'b done', 'c done']);
  });

  it('does not interrupt a task while no other task waits, and counts the time of all turns', async () => {
    const { happened, suspect } = quarantineOf();
    const long = suspect('x', 4 * FIRST_TURN);
    await vi.advanceTimersByTimeAsync(2 * FIRST_TURN);
    const short = suspect('a', 10);
    await vi.advanceTimersByTimeAsync(10 * FIRST_TURN);
    expect(await short).toMatchObject({ kind: 'done', spentMs: 10 });
    expect(happened.slice(0, 3)).toEqual(['x', 'a', 'x']);
    expect(await long).toMatchObject({ kind: 'done', spentMs: 6 * FIRST_TURN });
  });

  it('drops cancelled tasks, both waiting and running', async () => {
    const { happened, suspect } = quarantineOf();
    const [first, second] = [new AbortController(), new AbortController()];
    const running = suspect('x', 1000 * FIRST_TURN, first.signal);
    const waiting = suspect('y', 1000 * FIRST_TURN, second.signal);
    await vi.advanceTimersByTimeAsync(5);
    second.abort();
    expect(await waiting).toEqual(NOT_RUN);
    first.abort();
    expect(await running).toMatchObject({ kind: 'cancelled' });
    expect(happened).toEqual(['x']);
  });

  it('has a host process only while there is work', async () => {
    const { happened, suspect, quarantine } = quarantineOf();
    void suspect('a', 5);
    await vi.advanceTimersByTimeAsync(5 + RUN_LIMITS.quarantineIdleMs);
    expect(happened).toEqual(['a', 'the host ends']);
    expect(quarantine.load).toEqual({ running: 0, waiting: 0 });
  });

  it('ends its work when it is stopped, and then accepts no tasks', async () => {
    const { happened, suspect, quarantine } = quarantineOf();
    void suspect('x', 5);
    const waiting = suspect('y', 5);
    await vi.advanceTimersByTimeAsync(1);
    quarantine.stop();
    expect(await waiting).toEqual(NOT_RUN);
    expect(await suspect('z', 5)).toEqual(NOT_RUN);
    await vi.advanceTimersByTimeAsync(10);
    expect(happened).toEqual(['x', 'the host ends']);
  });
});
