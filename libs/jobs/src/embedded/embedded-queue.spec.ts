import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { latestServer } from '#kube';
import { queueContract } from '../../test/contract.ts';
import { answer, flowOf, item, recordOf, settingsWith } from '../../test/evaluations.ts';
import { Sealing } from '../at-rest/sealing.ts';
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

describe('evaluations that were incomplete at a restart', () => {
  /** Opens a queue over the current file. Returns the ended evaluations that the queue reports to its listeners immediately. */
  async function reportedAtStart(): Promise<string[]> {
    const queue = new EmbeddedQueue(file);
    const reported: string[] = [];
    for (const listener of ['a', 'b']) queue.jobs.onEnded(({ id, end }) => reported.push(`${listener}: ${id} ${end}`));
    await queue.close();
    return reported;
  }

  it('are reported as cancelled once, to all listeners of the new process', async () => {
    file = newFile();
    const queue = new EmbeddedQueue(file);
    await queue.jobs.add(recordOf('half'), [], 'partial');
    await queue.jobs.submit(recordOf('whole'), [[item('{}')]]);
    await queue.jobs.submit(recordOf('done'), []);
    await queue.close();
    expect(await reportedAtStart()).toEqual(['a: half cancelled', 'b: half cancelled']);
    expect(await reportedAtStart()).toEqual([]);
  });
});

describe('the journal file of an embedded queue', () => {
  it('is readable only for its owner, as are the files beside it', async () => {
    const journal = join(mkdtempSync(join(tmpdir(), 'assay-queue-')), 'made', 'journal.sqlite');
    const queue = new EmbeddedQueue(journal);
    await queue.jobs.submit(recordOf('e1'), [[item('{}')]]);
    const modes = readdirSync(dirname(journal)).map((name) => [name, statSync(join(dirname(journal), name)).mode & 0o777]);
    expect(modes).toContainEqual(['journal.sqlite-wal', 0o600]);
    for (const [, mode] of modes) expect(mode).toBe(0o600);
    expect(statSync(dirname(journal)).mode & 0o777).toBe(0o700);
    await queue.close();
  });

  it('with form number 1 is readable and usable', async () => {
    const journal = newFile();
    await new EmbeddedQueue(journal).close();
    const db = new DatabaseSync(journal);
    const sealing = new Sealing();
    const settings = recordOf('old').settings;
    const bodyOf = (index: number) =>
      sealing.pack('chunk', { evaluation: 'old', index, firstItem: index, items: [item(`{"a":${index}}`)], settings });
    db.exec('DROP TABLE start; PRAGMA user_version = 1');
    db.prepare('INSERT INTO evaluation (id, record, sealed) VALUES (?, ?, 1)').run(
      'old',
      sealing.pack('record', { ...recordOf('old'), itemMs: 1 }),
    );
    const insert = db.prepare('INSERT INTO chunk (evaluation, position, body, result) VALUES (?, ?, ?, ?)');
    insert.run('old', 0, null, sealing.pack('result', answer('before')));
    insert.run('old', 1, bodyOf(1), null);
    db.close();
    const queue = new EmbeddedQueue(journal);
    expect((await queue.jobs.result('old', 0))?.verdicts).toEqual(['before']);
    const job = await queue.jobs.begin('old');
    const part = job && (await queue.jobs.part(job, 1));
    expect([part?.firstItem, Buffer.from(part?.items[0]?.bytes ?? []).toString()]).toEqual([1, '{"a":1}']);
    if (job) expect(await queue.jobs.store(job, { part: 1, bytes: 7, result: answer('after') })).toBe('stored');
    expect(await queue.jobs.progress('old')).toMatchObject({ phase: 'complete', partsDone: 2, tally: { items: 2 } });
    await queue.close();
  });

  it('belongs to one queue until that queue is closed', async () => {
    const journal = newFile();
    const first = new EmbeddedQueue(journal);
    expect(() => new EmbeddedQueue(journal)).toThrow(/journal\.sqlite is in use by another process/);
    await first.close();
    await new EmbeddedQueue(journal).close();
  });

  it('gives an error if it cannot be opened', () => {
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

  it('keeps no data of an evaluation whose submission failed', async () => {
    const { queue, whileLocked } = queueWithLock();
    await whileLocked(() => queue.jobs.submit(record, [[item('{}')]]));
    expect(await queue.jobs.progress('e1')).toBeUndefined();
    expect(await queue.jobs.depth()).toMatchObject({ waiting: 0 });
    expect(await queue.jobs.submit(record, [[item('{}')]])).toBe('accepted');
    await queue.close();
  });

  it("is unchanged after a failed write of a part, a submission's end, a start, or a cancellation", async () => {
    const { queue, whileLocked } = queueWithLock();
    await queue.jobs.add(record, [], 'partial');
    await whileLocked(() => queue.jobs.append('e1', 0, [[item('{}')]], 'partial'));
    expect(await queue.jobs.append('e1', 0, [[item('{}')]], 'partial')).toBe('added');
    await whileLocked(() => queue.jobs.append('e1', 1, [], 'whole'));
    expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'receiving', partsTotal: 1 });
    await queue.jobs.append('e1', 1, [], 'whole');
    await whileLocked(() => queue.jobs.begin('e1'));
    expect(await queue.jobs.begin('e1')).toMatchObject({ startsWithoutResult: 1 });
    await whileLocked(() => queue.jobs.cancel('e1'));
    expect(await queue.jobs.cancel('e1')).toBe(true);
    await queue.close();
  });

  it('keeps no data of an evaluation of which only some parts were written', async () => {
    const { queue } = queueWithLock();
    // oxlint-disable-next-line unbound-method -- it is called with the statement of each call
    const run = StatementSync.prototype.run;
    let writes = 0;
    vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...given) {
      if (++writes > 2) throw FULL;
      return run.apply(this, given);
    });
    await expect((async () => queue.jobs.submit(record, [[item('{}')], [item('{}')]]))()).rejects.toThrow(FULL);
    vi.restoreAllMocks();
    expect(await queue.jobs.progress('e1')).toBeUndefined();
    expect(await queue.jobs.depth()).toMatchObject({ jobs: 0, waiting: 0 });
    expect(await queue.jobs.submit(record, [[item('{}')]])).toBe('accepted');
    await queue.close();
    expect(isUnavailable(FULL)).toBe(true);
  });

  it('keeps definitions in memory, and its probe() throws', async () => {
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
    await expect((async () => queue.jobs.submit(own, [[item('{}')]]))()).rejects.toThrow(FULL);
    vi.restoreAllMocks();
    await queue.probe();
    // A definition that was only in memory is written with the first evaluation that needs it.
    expect(await queue.jobs.submit(own, [[item('{}')]])).toBe('accepted');
    await queue.close();
    const reopened = new EmbeddedQueue(file);
    expect(await reopened.definitions.get(digest)).toMatchObject({ digest });
    await reopened.close();
  });

  it('accepts a result after an earlier write of the result failed', async () => {
    const { queue, whileLocked } = queueWithLock();
    await queue.jobs.submit(record, [[item('{}')]]);
    const job = await queue.jobs.begin('e1');
    if (!job) throw new Error('the job cannot begin');
    const judged = { part: 0, bytes: 2, result: answer('one') };
    await whileLocked(() => queue.jobs.store(job, judged));
    expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'running', partsDone: 0 });
    expect(await queue.jobs.store(job, judged)).toBe('stored');
    expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'complete' });
    await queue.close();
  });
});

const definitionOf = (digest: string) => ({ digest, slice: item(`{"name":"${digest}"}`), ...latestServer() });

it('an embedded queue deletes a definition some time after the last deadline that needs it, from memory and journal', async () => {
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
