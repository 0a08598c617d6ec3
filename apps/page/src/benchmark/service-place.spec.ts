import { describe, expect, it } from 'vitest';
import type { BenchmarkAnswer, BenchmarkAsk } from '../judge/judge-client.ts';
import { NO_TEXTS } from '../state/texts.ts';
import type { AskOutcome } from '../worker/watched-worker.ts';
import { BenchmarkRun } from './service-place.ts';
import type { BenchmarkProgress } from './service-place.ts';

const ask = (path: string): BenchmarkAsk => ({
  kind: 'benchmark',
  texts: NO_TEXTS,
  minor: '1.37',
  rule: { definition: 'widgets.example.com', version: 'v1', path },
  older: undefined,
  isTimed: false,
  budgetMs: 10_000,
});
const answer = (why: string): BenchmarkAnswer => ({ kind: 'notStudied', why });

/** Fake executor of benchmarks. The test provides its answers. */
class HandPlace {
  readonly parts: ((part: BenchmarkAnswer) => void)[] = [];
  readonly settle: ((outcome: AskOutcome<BenchmarkAnswer>) => void)[] = [];
  ended = 0;
  readonly perform = (_: BenchmarkAsk, onPart: (part: BenchmarkAnswer) => void): Promise<AskOutcome<BenchmarkAnswer>> => {
    this.parts.push(onPart);
    return new Promise((resolve) => this.settle.push(resolve));
  };
  readonly end = (): void => {
    this.ended += 1;
    this.settle.at(-1)?.({ kind: 'ended', why: 'you stopped it' });
  };
}

function begun() {
  const place = new HandPlace();
  const shown: BenchmarkProgress[] = [];
  const run = new BenchmarkRun(place, (progress) => shown.push(progress));
  return { place, run, last: () => shown.at(-1) };
}

describe('a benchmark on the page', () => {
  it('shows partial results while it runs, and then the complete report', async () => {
    const { place, run, last } = begun();
    const over = run.begin(ask('a'));
    expect(last()).toMatchObject({ state: 'running' });
    place.parts[0]?.(answer('part'));
    expect(last()).toMatchObject({ state: 'running', answer: answer('part') });
    place.settle[0]?.({ kind: 'answered', answer: answer('whole') });
    await over;
    expect([last(), place.ended]).toMatchObject([{ state: 'over', answer: answer('whole') }, 0]);
  });

  it('keeps its results when the user stops it, and ignores later results', async () => {
    const { place, run, last } = begun();
    const over = run.begin(ask('a'));
    place.parts[0]?.(answer('part'));
    run.stop();
    expect([last(), place.ended]).toMatchObject([{ state: 'stopped', answer: answer('part') }, 1]);
    place.parts[0]?.(answer('late'));
    await over;
    expect(last()).toMatchObject({ state: 'stopped', answer: answer('part') });
    run.stop();
    expect(place.ended).toBe(1);
  });

  it('stops the previous benchmark, and keeps a report only for the same rule', async () => {
    const { place, run, last } = begun();
    const first = run.begin(ask('a'));
    place.parts[0]?.(answer('a'));
    void run.begin(ask('a'));
    await first;
    expect([last(), place.ended]).toMatchObject([{ state: 'running', answer: answer('a') }, 1]);
    void run.begin(ask('b'));
    expect(last()?.answer).toBeUndefined();
    place.parts[1]?.(answer('late'));
    expect(last()?.answer).toBeUndefined();
  });

  it('shows the reason if it failed', async () => {
    const { place, run, last } = begun();
    const over = run.begin(ask('a'));
    place.settle[0]?.({ kind: 'ended', why: 'the worker broke' });
    await over;
    expect(last()).toMatchObject({ state: 'failed', why: 'the worker broke' });
  });
});
