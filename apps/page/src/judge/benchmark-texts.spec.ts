import { describe, expect, it } from 'vitest';
import { WorkPerformer } from '#runner/in-process';
import { definitionOf } from '../learn/tasks.ts';
import { NO_TEXTS } from '../state/texts.ts';
import { benchmarkTexts } from './benchmark-texts.ts';
import type { BenchmarkAnswer, BenchmarkAsk } from './judge-client.ts';
import { definedName, documentsIn } from './read-texts.ts';

const PATH = 'properties[spec].x-kubernetes-validations[0]';
const SCHEMA = (rule: string): string => `type: object
properties:
  a: {type: array, maxItems: 40, items: {type: integer}}
x-kubernetes-validations:
- rule: ${rule}`;
const SQUARE = definitionOf(SCHEMA('self.a.all(x, self.a.all(y, x <= y + 3))'));
const LINEAR = definitionOf(SCHEMA('self.a.all(x, x < 3)'));
const NAME = definedName(
  documentsIn({ ...NO_TEXTS, definitions: SQUARE }).definitions[0]?.slice ?? { bytes: new Uint8Array(), notation: 'json' },
);

async function benchmark(more: Partial<BenchmarkAsk>) {
  const parts: BenchmarkAnswer[] = [];
  const settings = {
    signal: new AbortController().signal,
    progress: () => undefined,
    alive: () => undefined,
    reportPart: (part: unknown) => parts.push(part as BenchmarkAnswer),
  };
  const ask: BenchmarkAsk = {
    kind: 'benchmark',
    texts: { ...NO_TEXTS, definitions: SQUARE },
    minor: '1.37',
    rule: { definition: NAME, version: 'v1', path: PATH },
    older: undefined,
    isTimed: false,
    // The study ends by itself. The budget ends only a study that hangs, even on a slow machine.
    budgetMs: 200_000,
    ...more,
  };
  return { answer: await benchmarkTexts(new WorkPerformer(), ask, settings), parts };
}

describe('the benchmark of a rule in an editor', () => {
  it('reports the growth during the run, and at the end', async () => {
    const { answer, parts } = await benchmark({});
    expect(parts.length).toBeGreaterThan(0);
    expect(parts[0]).toMatchObject({ kind: 'studied', phase: 'costs' });
    expect(answer).toMatchObject({
      kind: 'studied',
      phase: 'over',
      compiles: true,
      place: 'browser',
      findings: { growsWith: [{ field: 'spec.a', bound: 40, near: 'n²' }] },
    });
    expect(answer).not.toHaveProperty('findings.baseGrowth');
  });

  it('reports the growth of the older rule, and that the new rule costs more', async () => {
    const { answer } = await benchmark({ older: LINEAR });
    expect(answer).toMatchObject({
      findings: {
        growsWith: [{ near: 'n²' }],
        base: { kind: 'compared', cost: { verdict: 'dearer' } },
        baseGrowth: { growsWith: [{ near: 'n' }] },
      },
    });
  });

  it('also finds a definition in the editor for objects', async () => {
    const { answer } = await benchmark({ texts: { ...NO_TEXTS, objects: SQUARE } });
    expect(answer).toMatchObject({ kind: 'studied', findings: { source: 'objects' } });
  });

  it.each([
    ['a definition that is gone', { definition: 'others.example.com', version: 'v1', path: PATH }, /not here any more/],
    ['a rule that is gone', { definition: NAME, version: 'v1', path: 'x-kubernetes-validations[7]' }, /no such rule/],
  ])('reports why there is no result: %s', async (_, rule, why) => {
    expect((await benchmark({ rule })).answer).toEqual({ kind: 'notStudied', why: expect.stringMatching(why) as string });
  });
});
