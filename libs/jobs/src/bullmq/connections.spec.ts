import { expect, it } from 'vitest';
import { ConnectionTroubles } from './connections.ts';

it("the log gets a connection's failure at once, further failures after growing pauses, and the end of the failure", () => {
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
