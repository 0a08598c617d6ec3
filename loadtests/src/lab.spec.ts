import { describe, expect, it } from 'vitest';
import { Lab } from './lab.ts';

const quiet = { thoroughness: 'quick', seed: 1, say: () => undefined } as const;

async function taken(lab: Lab): Promise<number[]> {
  const items: number[] = [];
  for await (const item of lab.each([1, 2, 3])) items.push(item);
  return items;
}

describe('an experiment', () => {
  it('still performs the first step of each part after its time limit, and counts the omitted steps', async () => {
    const lab = new Lab({ ...quiet, signal: new AbortController().signal, capMs: -1 });
    expect([await taken(lab), await taken(lab), lab.leftOut]).toEqual([[1], [1], 4]);
  });

  it('performs no step after the run was stopped, and counts the omitted steps', async () => {
    const lab = new Lab({ ...quiet, signal: AbortSignal.abort(), capMs: 60_000 });
    expect([await taken(lab), lab.leftOut]).toEqual([[], 3]);
  });
});

it('the smallest run uses the number of the quick run if the smallest run has no number of its own', () => {
  const lab = new Lab({ ...quiet, thoroughness: 'smallest', signal: new AbortController().signal, capMs: 1 });
  expect([lab.of({ quick: 2, full: 3 }), lab.of({ smallest: 1, quick: 2, full: 3 })]).toEqual([2, 1]);
});
