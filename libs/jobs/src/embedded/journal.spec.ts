import { mkdtempSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Sealing } from '../at-rest/sealing.ts';
import { studyOf, TEXT_STUDIES } from '../../test/study-jobs.ts';
import { EmbeddedQueue } from './embedded-queue.ts';

it('the journal reads studies of an earlier release as jobs', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-journal-')), 'journal.sqlite');
  const sealing = new Sealing();
  const packed = (text: string): Buffer => sealing.pack('study', { text });
  const db = new DatabaseSync(file);
  db.exec(
    'CREATE TABLE study (id TEXT PRIMARY KEY, record BLOB NOT NULL, work BLOB, begun INTEGER NOT NULL DEFAULT 0, ending BLOB, report BLOB)',
  );
  const add = db.prepare('INSERT INTO study (id, record, work, begun, ending, report) VALUES (?, ?, ?, ?, ?, ?)');
  add.run('over', sealing.pack('study', studyOf('over')), null, 2, packed('end'), packed('report'));
  add.run('begun', sealing.pack('study', studyOf('begun')), packed('order'), 1, null, null);
  db.close();
  for (let opened = 0; opened < 2; opened++) {
    const queue = new EmbeddedQueue(file);
    const { jobs } = queue.open(TEXT_STUDIES);
    expect([await jobs.progress('over'), await jobs.noted('over'), await jobs.result('over', 0)]).toMatchObject([
      { phase: 'complete' },
      'end',
      'report',
    ]);
    expect(await jobs.progress('begun')).toMatchObject({ phase: 'running', starts: 1 + opened });
    const job = await jobs.begin('begun');
    expect(job && (await jobs.part(job, 0))).toBe('order');
    expect(await queue.jobs.list(10)).toEqual([]);
    await queue.close();
  }
});
