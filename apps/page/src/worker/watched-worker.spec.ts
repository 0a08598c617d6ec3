import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FromWorker, ToWorker } from './watched-worker.ts';
import { WatchedWorker } from './watched-worker.ts';

/** Fake worker whose answers the test provides. */
class HandWorker extends EventTarget {
  readonly heard: ToWorker[] = [];
  isTerminated = false;
  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(data: FromWorker): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
}

let workers: HandWorker[] = [];
const startOne = (): Worker => {
  const worker = new HandWorker();
  workers.push(worker);
  return worker as unknown as Worker;
};
const watched = () => new WatchedWorker<{ readonly kind: 'add' }, { readonly add: number }>(startOne, 1000);
const last = (): HandWorker => workers.at(-1) as HandWorker;

beforeEach(() => {
  workers = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('a watched worker', () => {
  it('starts at the first request, and gives the answer', async () => {
    const worker = watched();
    expect(workers).toHaveLength(0);
    const told: number[] = [];
    const outcome = worker.ask({ kind: 'add' }, { onProgress: (done) => told.push(done) });
    last().say({ id: 0, kind: 'progress', done: 1, of: 2 });
    last().say({ id: 0, kind: 'answer', answer: 3 });
    expect([await outcome, told, worker.isBusy]).toEqual([{ kind: 'answered', answer: 3 }, [1], false]);
  });

  it('gives partial answers to the caller', async () => {
    const worker = watched();
    const parts: number[] = [];
    const outcome = worker.ask({ kind: 'add' }, { onPart: (part) => parts.push(part) });
    last().say({ id: 0, kind: 'part', part: 1 });
    last().say({ id: 0, kind: 'part', part: 2 });
    last().say({ id: 0, kind: 'answer', answer: 3 });
    last().say({ id: 0, kind: 'part', part: 4 });
    expect([await outcome, parts]).toEqual([{ kind: 'answered', answer: 3 }, [1, 2]]);
  });

  it('is ended if it sends nothing for too long, and the next request starts another worker', async () => {
    const worker = watched();
    const outcome = worker.ask({ kind: 'add' });
    await vi.advanceTimersByTimeAsync(900);
    last().say({ id: 0, kind: 'alive' });
    await vi.advanceTimersByTimeAsync(900);
    expect(last().isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(await outcome).toEqual({ kind: 'ended', why: expect.stringContaining('did not answer for 1 s') as string });
    expect(last().isTerminated).toBe(true);
    const again = worker.ask({ kind: 'add' });
    last().say({ id: 1, kind: 'answer', answer: 4 });
    expect([await again, workers.length]).toEqual([{ kind: 'answered', answer: 4 }, 2]);
  });

  it('keeps running while it has no requests', async () => {
    const worker = watched();
    const outcome = worker.ask({ kind: 'add' });
    last().say({ id: 0, kind: 'answer', answer: 1 });
    await outcome;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last().isTerminated).toBe(false);
  });

  it('is asked to stop when the caller aborts, and is ended if the caller demands that', async () => {
    const worker = watched();
    const stop = new AbortController();
    const stopped = worker.ask({ kind: 'add' }, { signal: stop.signal });
    stop.abort();
    expect(last().heard.at(-1)).toEqual({ id: 0, stop: true });
    last().say({ id: 0, kind: 'stopped' });
    expect(await stopped).toEqual({ kind: 'stopped' });
    const ended = worker.ask({ kind: 'add' });
    worker.end('you stopped it');
    expect(await ended).toEqual({ kind: 'ended', why: 'you stopped it' });
  });

  it('reports a crash, and messages of an ended worker are ignored', async () => {
    const worker = watched();
    const outcome = worker.ask({ kind: 'add' });
    const first = last();
    first.dispatchEvent(Object.assign(new Event('error'), { message: 'no memory' }));
    expect(await outcome).toEqual({ kind: 'ended', why: 'the worker broke: no memory' });
    const again = worker.ask({ kind: 'add' });
    first.say({ id: 1, kind: 'answer', answer: 9 });
    last().say({ id: 1, kind: 'answer', answer: 5 });
    expect(await again).toEqual({ kind: 'answered', answer: 5 });
  });
});
