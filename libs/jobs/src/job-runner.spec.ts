import { expect, it, vi } from 'vitest';
import { logOnly } from '#telemetry';
import { item, recordOf } from '../test/evaluations.ts';
import { EmbeddedQueue } from './embedded/embedded-queue.ts';
import { JobRunner } from './job-runner.ts';
import { DEFAULT_QUEUE_LIMITS } from './limits.ts';

const telemetry = logOnly({ info: () => undefined, warn: () => undefined, error: () => undefined, fatal: () => undefined });

it.each(['has begun in another process', 'was cancelled, although the message was lost'])(
  'the job runner stops a job that %s',
  async (how) => {
    const queue = new EmbeddedQueue(':memory:', { ...DEFAULT_QUEUE_LIMITS });
    // This simulates a lost cancellation message.
    vi.spyOn(queue.jobs, 'onCancelled').mockReturnValue(() => undefined);
    const told: string[] = [];
    const runner = new JobRunner({
      kind: 'evaluation',
      queue,
      traceparentOf: () => undefined,
      telemetry,
      node: 'here',
      // The work ends only when the runner stops it.
      perform: ({ record }, signal) =>
        new Promise((resolve) => {
          told.push(`${record.id} begun`);
          signal.addEventListener('abort', () => {
            told.push(`${record.id} stopped`);
            resolve();
          });
        }),
    });
    await queue.jobs.submit(recordOf('e'), [[item('{}')]]);
    runner.start();
    await expect.poll(() => told).toEqual(['e begun']);
    if (how.startsWith('was')) await queue.jobs.cancel('e');
    else await queue.jobs.begin('e');
    await expect.poll(() => told).toEqual(['e begun', 'e stopped']);
    await runner.stop();
    await queue.close();
  },
);
