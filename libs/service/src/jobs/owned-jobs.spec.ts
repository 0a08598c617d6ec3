import { describe, expect, it } from 'vitest';
import { UnreadableContent } from '#jobs';
import type { EvaluationRecord, JobStore } from '#jobs';
import { EvaluationArchive } from './owned-jobs.ts';

/** Returns an archive over the given records. If an entry is an error, its record cannot be read. */
function archiveOf(records: Readonly<Record<string, Partial<EvaluationRecord> | Error>>): EvaluationArchive {
  const record = (id: string): Promise<unknown> => {
    const one = records[id];
    return one instanceof Error ? Promise.reject(one) : Promise.resolve({ id, createdAt: 0, ...one });
  };
  const progress = (): Promise<object> => Promise.resolve({});
  const list = (): Promise<string[]> => Promise.resolve(Object.keys(records));
  return new EvaluationArchive({ list, record, progress } as unknown as JobStore);
}
const ids = async (archive: EvaluationArchive): Promise<string[]> => (await archive.list(10, () => true)).map(({ record: { id } }) => id);

describe('the list of asynchronous evaluations', () => {
  it('has the order of the storage', async () => {
    expect(await ids(archiveOf({ b: {}, a: {} }))).toEqual(['b', 'a']);
  });

  it('reads only as many records as it needs', async () => {
    const records = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`e${i}`, {}]));
    const archive = archiveOf({ ...records, e500: new Error('Connection is closed') });
    expect(await ids(archive)).toEqual(Array.from({ length: 10 }, (_, i) => `e${i}`));
  });

  it('omits an unreadable record', async () => {
    expect(await ids(archiveOf({ a: {}, b: new UnreadableContent('not ours') }))).toEqual(['a']);
  });

  it('fails if the storage fails', async () => {
    await expect(ids(archiveOf({ a: {}, b: new Error('Connection is closed') }))).rejects.toThrow('Connection is closed');
  });
});
