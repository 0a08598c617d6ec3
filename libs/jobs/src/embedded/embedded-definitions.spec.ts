import { latestServer } from '#kube';
import { expect, it } from 'vitest';
import { flowOf, item } from '../../test/evaluations.ts';
import { EmbeddedQueue } from './embedded-queue.ts';

const definitionOf = (digest: string) => ({ digest, slice: item(`{"name":"${digest}"}`), ...latestServer() });

it('deletes a definition some time after the last deadline that needs it, from memory and from the journal', async () => {
  let now = 1_000_000;
  const queue = new EmbeddedQueue(':memory:', undefined, { now: () => now });
  const flow = flowOf('f');
  await queue.definitions.put(definitionOf('short'), { flow, leftMs: 1000 });
  await queue.definitions.put(definitionOf('long'), { flow, leftMs: 1000 });
  await queue.definitions.put(definitionOf('long'), { flow, leftMs: 600_000 });
  now += 300_000;
  expect(await queue.definitions.get('short')).toBeDefined();
  await queue.definitions.put(definitionOf('next'), { flow, leftMs: 1000 });
  expect(await queue.definitions.get('short')).toBeUndefined();
  expect(await queue.definitions.get('long')).toBeDefined();
  await queue.close();
});
