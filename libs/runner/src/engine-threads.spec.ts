import { afterAll, describe, expect, it } from 'vitest';
import { latestServer } from '#kube';
import { checkOptions, definitionText } from '#documents';
import type { ChunkSettings } from '#documents';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { DEEP_EQUALITY, equalLists, LISTS } from '../../../testing/deep-equality.ts';
import { EngineThreads } from './engine-threads.ts';
import type { RunSettings } from './engine.ts';

const schema = {
  type: 'object',
  'x-kubernetes-validations': [{ rule: `!has(self.lists) || ${DEEP_EQUALITY}` }],
  properties: { lists: LISTS, free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
};
const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const text = definitionText(
  { bytes: bytesOf(customDefinition({ kind: 'Probe', scope: 'Cluster', schema })), notation: 'json' },
  latestServer(),
);
const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited' } });
if (!options.ok) throw new Error('options');
const settings: ChunkSettings = {
  options: options.value,
  definitions: [{ digest: text.digest, group: 'example.com', kind: 'Probe' }],
  refused: [],
  deadlineAt: Number.MAX_SAFE_INTEGER,
  traceparent: undefined,
};

/** Computes the verdict on one object. Returns its outcome, or the kind of the engine's answer if the work ended without an outcome. */
async function judge(engine: EngineThreads, object: unknown, rest: RunSettings = {}): Promise<string> {
  const items = [{ bytes: bytesOf(object), notation: 'json' }] as const;
  const answer = await engine.run({ kind: 'evaluate', firstItem: 0, items, settings }, { definitions: [text], ...rest });
  if (answer.kind !== 'done') return answer.kind === 'broken' ? answer.breakage : answer.kind;
  return (JSON.parse(answer.result.verdicts[0] ?? '{}') as { outcome: string }).outcome;
}

const probe = (name: string, rest: object = {}) => ({ apiVersion: 'example.com/v1', kind: 'Probe', metadata: { name }, ...rest });
const endless = probe('endless', { lists: equalLists(500) });
/** Objects that need more memory than a thread has. With a large young generation, V8 aborts the process for half of the runs of the second. */
const HEAVY = [
  ['empty objects', probe('heavy', { free: { list: Array.from({ length: 1_000_000 }, () => ({})) } })],
  ['lists of empty lists', probe('heavy', { free: { list: Array.from({ length: 1000 }, () => Array.from({ length: 1000 }, () => [])) } })],
] as const;

describe('an engine of threads', () => {
  const engine = new EngineThreads({ threads: 2, threadHeapMb: 40 });
  afterAll(() => engine.stop());

  it('evaluates more objects than it has threads', async () => {
    const outcomes = await Promise.all(Array.from({ length: 9 }, (_, i) => judge(engine, probe(`p${i}`))));
    expect(outcomes).toEqual(Array.from({ length: 9 }, () => 'accepted'));
  });

  it('returns the result of work other than evaluations', async () => {
    const work = { kind: 'documents', bytes: bytesOf(probe('one')), notation: 'yaml', limits: { definitions: 1, objects: 1 } } as const;
    const answer = await engine.run(work);
    expect(answer).toMatchObject({ kind: 'done', result: { objects: { ends: { length: 1 } } } });
  });

  it('stops work inside one rule, and work that waits for the same thread', async () => {
    const stop = new AbortController();
    const stopped = [endless, endless, endless].map((object) => judge(engine, object, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 200);
    for (const outcome of await Promise.all(stopped)) expect(outcome).toBe('cancelled');
    expect(await judge(engine, probe('after'))).toBe('accepted');
  });

  it.each(HEAVY)('returns `broken` for an object with so many %s that its thread breaks, and evaluates other objects', async (_, heavy) => {
    const [broken, neighbour] = await Promise.all([judge(engine, heavy), judge(engine, probe('neighbour'))]);
    expect([broken, neighbour]).toEqual(['out of memory', 'accepted']);
    expect(await judge(engine, probe('after'))).toBe('accepted');
  });

  it('does not begin work whose signal was already aborted', async () => {
    expect(await judge(engine, probe('late'), { signal: AbortSignal.abort() })).toBe('cancelled');
  });
});

it('a stopped engine of threads returns `cancelled` for all work', async () => {
  const engine = new EngineThreads({ threads: 1 });
  const answers = [endless, endless].map((object) => judge(engine, object));
  engine.stop();
  expect(await Promise.all(answers)).toEqual(['cancelled', 'cancelled']);
  expect(await judge(engine, probe('late'))).toBe('cancelled');
});
