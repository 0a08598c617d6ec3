import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judge } from './judge.ts';
import { NODE_ENGINE } from '#runner/linker';
import { HAND_BUILT } from './all.ts';

const CORPORA = resolve(import.meta.dirname, '../../../../../../shared/corpora');
/** Maximum size of an object in bytes. It leaves room for the envelope in a request of 3 MiB. */
const MAX_BYTES = 2_950_000;

if (!existsSync(CORPORA)) process.stdout.write(`hand-built writes are skipped: there are no corpora at ${CORPORA}\n`);

describe('hand-built expensive writes', () => {
  it('cover twenty rules of more than twelve definitions', () => {
    expect(new Set(HAND_BUILT.map(({ file, path }) => `${file} ${path}`)).size).toBe(20);
    expect(new Set(HAND_BUILT.map(({ file }) => file)).size).toBeGreaterThan(12);
  });

  it.skipIf(!existsSync(CORPORA)).each(HAND_BUILT.map((built) => [`${built.file} ${built.path}`, built] as const))(
    'have the recorded cost: %s',
    (_, built) => {
      const judgement = judge(built, CORPORA, NODE_ENGINE);
      if (built.end === 'accepted') expect(judgement.errors).toEqual([]);
      expect(judgement).toMatchObject({ end: built.end, cost: built.cost });
      expect(judgement.evaluations).toBeGreaterThan(0);
      expect(judgement.bytes).toBeLessThanOrEqual(MAX_BYTES);
    },
  );
});
