import { describe, expect, it } from 'vitest';
import { AnyWakeUp } from './any-wake-up.ts';

/** A queue of wake-ups whose takings are answered by hand. */
function queueByHand() {
  const takings: ((came: boolean) => void)[] = [];
  let added = 0;
  return {
    takings,
    added: () => added,
    add: () => {
      added += 1;
      return Promise.resolve();
    },
    take: () => new Promise<boolean>((resolve) => takings.push(resolve)),
  };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a wake-up of any queue', () => {
  it('names its queue, and takes once at each queue however often somebody waits', async () => {
    const queues = [queueByHand(), queueByHand()];
    const any = new AnyWakeUp(queues);
    const first = any.wait(new AbortController().signal);
    queues[1]?.takings[0]?.(true);
    expect(await first).toBe(1);
    await settled();
    const second = any.wait(new AbortController().signal);
    expect(queues.map(({ takings }) => takings.length)).toEqual([1, 2]);
    queues[0]?.takings[0]?.(true);
    expect(await second).toBe(0);
  });

  it('is given back when nobody waits for it any more', async () => {
    const queues = [queueByHand(), queueByHand()];
    const any = new AnyWakeUp(queues);
    const stop = new AbortController();
    const waiting = any.wait(stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
    queues[0]?.takings[0]?.(true);
    queues[1]?.takings[0]?.(false);
    await settled();
    expect(queues.map(({ added }) => added())).toEqual([1, 0]);
  });

  it('goes to one who waits, not to all', async () => {
    const queue = queueByHand();
    const any = new AnyWakeUp([queue]);
    const woken: (number | undefined)[] = [];
    const stop = new AbortController();
    const both = [any.wait(stop.signal), any.wait(stop.signal)].map(async (wait) => woken.push(await wait));
    queue.takings[0]?.(true);
    await settled();
    expect(woken).toEqual([0]);
    stop.abort();
    await Promise.all(both);
    expect(woken).toEqual([0, undefined]);
  });
});
