import { describe, expect, it } from 'vitest';
import { defaultOptions } from '#documents';
import type { Engine, Work } from '#runner';
import { advise } from './explain-text.ts';

const options = defaultOptions();
const definition = { bytes: Buffer.from('{}'), notation: 'json' } as const;
const advice = { id: 'unique-list', versions: ['v1'], path: 'spec', text: 'a text', line: 1, column: 1 };

/** Returns an engine that gives the result `answer(work)` for all work, and the list of work that the engine received. */
function engineWith(answer: (work: Work) => unknown): { engine: Engine; requested: Work[] } {
  const requested: Work[] = [];
  const run = (work: Work): Promise<unknown> => Promise.resolve((requested.push(work), answer(work)));
  return { engine: { threads: 1, run } as unknown as Engine, requested };
}

describe('advise', () => {
  it('evaluates only definitions, and returns reports with advice', async () => {
    const report = { name: 'a', digest: 'd', accepted: true, warnings: [] };
    const explained = { report, advice: [advice], rules: [{}], schemas: [{}] };
    const { engine, requested } = engineWith(() => ({ kind: 'done', result: { explained, usable: true } }));
    expect(await advise(engine, { definitions: [definition], options: { ...options, oldestVersion: '1.30' } })).toEqual({
      definitions: [{ report, advice: [advice] }],
    });
    expect(requested).toMatchObject([{ kind: 'explain', oldest: '1.30', asSent: false }]);
  });

  it.each([
    ['cancelled', 408],
    ['broken', 500],
  ] as const)('reports a definition as rejected if the work is %s', async (kind, code) => {
    const { engine } = engineWith(() => ({ kind }));
    const { definitions } = await advise(engine, { definitions: [definition], options });
    expect(definitions).toMatchObject([{ report: { accepted: false, status: { code } }, advice: [] }]);
  });
});
