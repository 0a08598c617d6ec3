import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ContentKey } from '../at-rest/content-keys.ts';
import type { StudyStore } from '../study-store.ts';
import { EmbeddedQueue } from './embedded-queue.ts';
import { UnusableJournal } from './open-journal.ts';

interface Forms {
  readonly record: string;
  readonly order: Uint8Array;
  readonly end: string;
  readonly report: string;
}

const fileOf = (): string => join(mkdtempSync(join(tmpdir(), 'assay-studies-')), 'journal.sqlite');

/** Opens the studies of a journal, runs `use` with them, and closes the journal afterwards. */
async function withStudies<Answer>(
  file: string,
  use: (studies: StudyStore<Forms>) => Promise<Answer>,
  contentKeys: readonly ContentKey[] = [],
): Promise<Answer> {
  const queue = new EmbeddedQueue(file, undefined, { contentKeys });
  // A journal that cannot be read is closed already.
  const studies = queue.studies<Forms>();
  try {
    return await use(studies);
  } finally {
    await queue.close();
  }
}

describe('studies in a journal', () => {
  it('are there after a restart, with their orders until they are over, and with their reports then', async () => {
    const file = fileOf();
    await withStudies(file, async (studies) => {
      await studies.put('one', 'first', Buffer.from('work'));
      await studies.put('two', 'second', Buffer.from('work'));
      expect(Buffer.from((await studies.begin('one')) ?? []).toString()).toBe('work');
    });
    await withStudies(file, async (studies) => {
      expect(await studies.list()).toEqual([
        { id: 'one', record: 'first', begun: 1, end: undefined },
        { id: 'two', record: 'second', begun: 0, end: undefined },
      ]);
      expect(await studies.report('one')).toBeUndefined();
      await studies.begin('one');
      await studies.finish('one', 'complete', 'the report');
      await studies.forget('two');
    });
    await withStudies(file, async (studies) => {
      expect(await studies.list()).toEqual([{ id: 'one', record: 'first', begun: 2, end: 'complete' }]);
      expect([await studies.begin('one'), await studies.begin('none'), await studies.report('one')]).toEqual([
        undefined,
        undefined,
        'the report',
      ]);
      expect((await studies.list())[0]?.begun).toBe(2);
    });
  });

  it('charge thread time by client and day', async () => {
    const file = fileOf();
    await withStudies(file, async (studies) => {
      await studies.charge('2027-01-30', 'one', 5);
      await studies.charge('2027-01-31', 'one', 10);
      await studies.charge('2027-01-31', 'one', 2.5);
      await studies.charge('2027-01-31', 'two', 1);
    });
    await withStudies(file, async (studies) => {
      const charged = [
        ['2027-01-31', 'one'],
        ['2027-01-31', 'two'],
        ['2027-01-30', 'one'],
        ['2027-01-31', 'none'],
      ] as const;
      expect(await Promise.all(charged.map(([day, client]) => studies.charged(day, client)))).toEqual([12.5, 1, 0, 0]);
    });
  });

  it('are encrypted if there is a key, and a process without it does not start', async () => {
    const file = fileOf();
    const [first, second] = ['2026-05', '2026-11'].map((id): ContentKey => ({ id, key: randomBytes(32) })) as [ContentKey, ContentKey];
    await withStudies(file, (studies) => studies.put('one', 'PLANTED', Buffer.from('PLANTED')), [first]);
    expect(readFileSync(file).includes('PLANTED')).toBe(false);
    const records = (keys: readonly ContentKey[]): Promise<string[]> =>
      withStudies(file, async (studies) => (await studies.list()).map(({ record }) => record), keys);
    // The sample of the journal is now under the second key, and the study is not.
    expect(await records([second, first])).toEqual(['PLANTED']);
    await expect(records([second])).rejects.toThrow(UnusableJournal);
    expect(await records([second, first])).toEqual(['PLANTED']);
  });
});
