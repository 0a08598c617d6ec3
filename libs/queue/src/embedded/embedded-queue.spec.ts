import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { latestServer } from '#kube';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { answer, flowOf, item, recordOf, settingsWith } from '../../test/evaluations.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { isUnavailable } from '../unavailable.ts';
import { EmbeddedQueue } from './embedded-queue.ts';
import { UnusableJournal } from './open-journal.ts';

/** Error that SQLite throws if the disk is full. */
const FULL = Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
afterEach(() => void vi.restoreAllMocks());

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'journal.sqlite');
let file = '';
queueContract('embedded', {
  open: (limits) => {
    file = newFile();
    return Promise.resolve(new EmbeddedQueue(file, { ...DEFAULT_QUEUE_LIMITS, ...limits }));
  },
  reopen: () => Promise.resolve(new EmbeddedQueue(file)),
});

describe('the ends of evaluations', () => {
  /** Opens a queue over the current file. Returns the ended evaluations that the queue reports to its listeners immediately. */
  async function reportedAtStart(): Promise<string[]> {
    const queue = new EmbeddedQueue(file);
    const reported: string[] = [];
    for (const listener of ['a', 'b']) queue.ends.onEnded(({ id, end }) => reported.push(`${listener}: ${id} ${end}`));
    await queue.close();
    return reported;
  }

  it('of what a restart cut off are told to everyone who listens then, and not after the next restart', async () => {
    file = newFile();
    const queue = new EmbeddedQueue(file);
    await queue.work.accept(recordOf('half'));
    await queue.work.submit(recordOf('whole'), [[item('{}')]]);
    await queue.work.submit(recordOf('done'), []);
    await queue.close();
    expect(await reportedAtStart()).toEqual(['a: half cancelled', 'b: half cancelled']);
    expect(await reportedAtStart()).toEqual([]);
  });
});

describe('the file of a journal', () => {
  it('is private, with all that lies beside it', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'made', 'journal.sqlite');
    const queue = new EmbeddedQueue(journal);
    await queue.work.submit(recordOf('e1'), [[item('{}')]]);
    const modes = readdirSync(dirname(journal)).map((name) => [name, statSync(join(dirname(journal), name)).mode & 0o777]);
    expect(modes).toContainEqual(['journal.sqlite-wal', 0o600]);
    for (const [, mode] of modes) expect(mode).toBe(0o600);
    expect(statSync(dirname(journal)).mode & 0o777).toBe(0o700);
    await queue.close();
  });

  it("is one queue's alone, until it is closed", async () => {
    const journal = newFile();
    const first = new EmbeddedQueue(journal);
    expect(() => new EmbeddedQueue(journal)).toThrow(/journal\.sqlite is in use by another process/);
    await first.close();
    await new EmbeddedQueue(journal).close();
  });

  it('that cannot be opened says so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-queue-'));
    expect(() => new EmbeddedQueue(folder)).toThrow(UnusableJournal);
  });
});

describe('an embedded queue whose journal cannot be written', () => {
  const record = recordOf('e1');

  /**
   * Returns a queue, and a function that locks the queue's journal while an action runs. Writes then fail in the same way as on a full
   * disk.
   */
  function queueWithLock() {
    const journal = newFile();
    file = journal;
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

  it('keeps nothing of an evaluation of which only a part could be written', async () => {
    const { queue } = queueWithLock();
    // oxlint-disable-next-line unbound-method -- it is called with the statement of each call
    const run = StatementSync.prototype.run;
    let writes = 0;
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...given) {
      if (++writes > 2) throw FULL;
      return run.apply(this, given);
    });
    await expect((async () => queue.work.submit(record, [[item('{}')], [item('{}')]]))()).rejects.toThrow(FULL);
    vi.restoreAllMocks();
    expect(await queue.results.progress('e1')).toBeUndefined();
    expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0 });
    expect(await queue.work.submit(record, [[item('{}')]])).toBe('accepted');
    await queue.close();
    expect(isUnavailable(FULL)).toBe(true);
  });

  it('keeps definitions in memory, and its probe fails', async () => {
    const { queue } = queueWithLock();
    const digest = 'd';
    const own = recordOf('e1', { settings: settingsWith(digest) });
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
      throw FULL;
    });
    await expect((async () => queue.probe())()).rejects.toThrow(FULL);
    await queue.definitions.put(
      { digest, slice: item('{"kind":"CustomResourceDefinition"}'), ...latestServer() },
      { flow: flowOf('f'), leftMs: 60_000 },
    );
    expect(await queue.definitions.get(digest)).toMatchObject({ digest });
    await expect((async () => queue.work.submit(own, [[item('{}')]]))()).rejects.toThrow(FULL);
    vi.restoreAllMocks();
    await queue.probe();
    // What was only in memory is written with the first evaluation that needs it.
    expect(await queue.work.submit(own, [[item('{}')]])).toBe('accepted');
    await queue.close();
    const reopened = new EmbeddedQueue(file);
    expect(await reopened.definitions.get(digest)).toMatchObject({ digest });
    await reopened.close();
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
