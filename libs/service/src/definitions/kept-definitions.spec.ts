import { expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { EmbeddedQueue } from '#jobs';
import { logOnly } from '#telemetry';
import { flowOf } from '../../../jobs/test/evaluations.ts';
import type { Caller } from '../ports.ts';
import { Refusals, unqueuedEngine } from '#runner';
import { fakeEngine } from '../testing/fake-engine.ts';
import { KeptDefinitions } from './kept-definitions.ts';

const telemetry = logOnly({ info: () => undefined, warn: () => undefined, error: () => undefined, fatal: () => undefined });
const caller: Caller = {
  owner: undefined,
  flow: flowOf('f'),
  limits: { allowUnlimited: false, maxEvaluationCost: Infinity },
  engine: unqueuedEngine(fakeEngine(1).engine),
  span: undefined,
  signal: new AbortController().signal,
};
const textOf = (name: string) => ({ bytes: Buffer.from(`{"name":"${name}"}`), notation: 'json' as const });

it('the service deletes a definition only if no request used the definition for its retention time', async () => {
  let now = 1_000_000;
  const queue = new EmbeddedQueue(':memory:', undefined, { now: () => now });
  const kept = new KeptDefinitions({ store: queue.definitions, refusals: new Refusals(telemetry), maxDefinitions: 10, keptMs: 600_000 });
  const [named, unnamed] = [textOf('named'), textOf('unnamed')];
  for (const slice of [named, unnamed]) expect(await kept.keep(sentDigest(slice.bytes), slice, caller)).toMatchObject({ kind: 'answered' });
  now += 500_000;
  const refs = { definitions: [], definitionRefs: [sentDigest(named.bytes)] };
  expect(await kept.resolve(refs, caller)).toMatchObject({ kind: 'answered', answer: { definitions: [{ notation: 'json' }] } });
  now += 300_000;
  await kept.keep(sentDigest(textOf('next').bytes), textOf('next'), caller);
  expect(await kept.find(sentDigest(named.bytes), caller)).toMatchObject({ kind: 'answered' });
  expect(await kept.find(sentDigest(unnamed.bytes), caller)).toMatchObject({ kind: 'refused', status: { code: 404 } });
  await queue.close();
});
