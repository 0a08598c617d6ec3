import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { item, recordOf } from './evaluations.ts';
import { SERVING_LIMITS } from './serving-limits.ts';

// A process that serves two evaluations, `attached` and `detached`, and may be killed or frozen: `node serving-process.ts <url> <namespace>`.
// It says when they are queued, and then what it was answered for the attached one.
const [url = '', namespace = ''] = process.argv.slice(2);
const queue = new RedisQueue(redisAddressOf(url), { namespace, limits: SERVING_LIMITS });
for (const id of ['attached', 'detached']) {
  await queue.work.accept(recordOf(id, { detached: id === 'detached' }));
  await queue.work.enqueue(id, 0, [item('{}')]);
  await queue.work.seal(id);
}
process.stdout.write('queued\n');
const result = await queue.results.result('attached', 0);
process.stdout.write(`answered ${result?.verdicts.join() ?? 'nothing'}\n`);
