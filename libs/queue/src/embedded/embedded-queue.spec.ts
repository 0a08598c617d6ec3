import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { answer, item, recordOf } from '../../test/evaluations.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { EmbeddedQueue } from './embedded-queue.ts';

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'journal.sqlite');
let file = '';
queueContract('embedded', {
  open: (limits) => {
    file = newFile();
    return Promise.resolve(new EmbeddedQueue(file, { ...DEFAULT_QUEUE_LIMITS, ...limits }));
  },
  reopen: () => Promise.resolve(new EmbeddedQueue(file)),
});

describe('an embedded queue whose journal cannot be written', () => {
  const record = recordOf('e1', { detached: true });

  /** A queue, and a way to have its journal refuse all writing while something is done, as a full disk would. */
  function queueWithLock() {
    const journal = newFile();
    const queue = new EmbeddedQueue(journal, { ...DEFAULT_QUEUE_LIMITS, leaseMs: 300 });
    const other = new DatabaseSync(journal);
    async function whileLocked(act: () => Promise<unknown>): Promise<void> {
      other.exec('BEGIN EXCLUSIVE');
      await expect((async () => act())()).rejects.toThrow(/locked/);
      other.exec('ROLLBACK');
    }
    return { queue, whileLocked };
  }

  it('keeps nothing of an evaluation that it refused with an error', async () => {
    const { queue, whileLocked } = queueWithLock();
    await whileLocked(() => queue.work.submit(record, [[item('{}')]]));
    expect(await queue.results.progress('e1')).toBeUndefined();
    expect(await queue.work.depth()).toMatchObject({ waiting: 0 });
    expect(await queue.work.submit(record, [[item('{}')]])).toBe('accepted');
    await queue.close();
  });

  it('is as before where a chunk, the end of a batch, or a cancellation could not be written', async () => {
    const { queue, whileLocked } = queueWithLock();
    await queue.work.accept(record);
    await whileLocked(() => queue.work.enqueue('e1', 0, [item('{}')]));
    expect(await queue.work.enqueue('e1', 0, [item('{}')])).toBe('queued');
    await whileLocked(() => queue.work.seal('e1'));
    expect(await queue.results.progress('e1')).toMatchObject({ phase: 'receiving', chunksTotal: 1 });
    await whileLocked(() => queue.cancellations.cancel('e1'));
    expect(await queue.cancellations.cancel('e1')).toBe(true);
    await queue.close();
  });

  it('has a chunk run again whose result could not be written', async () => {
    const { queue, whileLocked } = queueWithLock();
    await queue.work.submit(record, [[item('{}')]]);
    const first = await queue.work.claim(AbortSignal.timeout(60_000));
    if (!first) throw new Error('no chunk came');
    await whileLocked(() => queue.work.commit(first, answer('one')));
    const second = await queue.work.claim(AbortSignal.timeout(60_000));
    expect(second).toMatchObject({ earlierClaims: 1, chunk: { evaluation: 'e1', index: 0 } });
    if (second) expect(await queue.work.commit(second, answer('one'))).toBe('stored');
    expect(await queue.results.progress('e1')).toMatchObject({ phase: 'complete' });
    await queue.close();
  });
});
