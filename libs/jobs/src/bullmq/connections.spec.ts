import { expect, it } from 'vitest';
import { ConnectionTroubles } from './connections.ts';

it('reports a failure at once, then after growing pauses, and reports its end', () => {
  let now = 0;
  const reported: string[] = [];
  const troubles = new ConnectionTroubles(
    ({ state, reason, failures }) => reported.push(`${now} ${state} ${reason} ${failures}`),
    () => now,
  );
  troubles.recovered();
  for (; now < 10_000; now += 500) troubles.failed(new AggregateError([new Error('connect ECONNREFUSED')]));
  troubles.recovered();
  troubles.failed(new Error('again'));
  expect(reported).toEqual([
    '0 away connect ECONNREFUSED 1',
    '1000 away connect ECONNREFUSED 2',
    '3000 away connect ECONNREFUSED 4',
    '7000 away connect ECONNREFUSED 8',
    '10000 back connected 5',
    '10000 away again 1',
  ]);
});
