import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { thorough } from '../../testing/thorough.ts';
import { Dice } from '../src/random/dice.ts';
import { compareReadings, newReadingCounts, variantOf } from '../src/readings/compare-readings.ts';
import type { Contradiction, ReadingCounts, ReadingSource } from '../src/readings/compare-readings.ts';
import { listSources } from '../src/readings/list-sources.ts';
import { randomSources, recordedSources } from '../src/readings/reading-sources.ts';
import { conformanceFile, SHARED, sharedIsHere } from '../src/shared-folder.ts';

/**
 * Number of variants of each object that are checked in addition to the recorded form. Some variants spell the same JSON in an unusual way,
 * and some are damaged.
 */
const VARIANTS = thorough ? 6 : 2;
/**
 * Number of variants of each of the few objects that are recorded in this project. It is high, so that the shares of objects that generated
 * readers accept are statistically meaningful.
 */
const MANY_VARIANTS = thorough ? 40 : 15;

async function compareAll(sources: AsyncIterable<ReadingSource> | Iterable<ReadingSource>, variants = VARIANTS) {
  const dice = new Dice(18);
  const counts = newReadingCounts();
  const contradictions: (Contradiction | undefined)[] = [];
  for await (const source of sources) {
    contradictions.push(compareReadings(source, source.body, dice, counts));
    for (let n = 0; n < variants; n++) contradictions.push(compareReadings(source, variantOf(source, dice), dice, counts));
  }
  return { counts, contradictions: contradictions.filter((one) => one !== undefined) };
}

/**
 * Expects that generated readers decide more than half of the accepted creates and more than a tenth of the accepted updates. An update is
 * left to the exact code, which uses no generated reader, if the old object excuses errors in the new object.
 */
function expectUsed(counts: ReadingCounts): void {
  expect(counts.read - counts.readUpdates).toBeGreaterThan((counts.accepted - counts.acceptedUpdates) / 2);
  expect(counts.readUpdates).toBeGreaterThan(counts.acceptedUpdates / 10);
}

describe('generated readers and the exact code', () => {
  it('give the same verdicts on objects of random definitions', async () => {
    const { counts, contradictions } = await compareAll(randomSources(18, thorough ? 4000 : 400));
    expect(contradictions).toEqual([]);
    expect(counts.read).toBeGreaterThan(counts.accepted / 10);
  });

  it('give the same verdicts on objects with long lists', async () => {
    const { counts, contradictions } = await compareAll(listSources(18, thorough ? 1500 : 150));
    expect(contradictions).toEqual([]);
    expect(counts.readInPlace).toBeGreaterThan(counts.read / 8);
  });

  it('give the same verdicts on the recorded objects of this project', async () => {
    const folder = conformanceFile('golden');
    const { counts, contradictions } = await compareAll(recordedSources(join(folder, 'objects.jsonl'), folder), MANY_VARIANTS);
    expect(contradictions).toEqual([]);
    expectUsed(counts);
  });

  it.skipIf(!sharedIsHere || !thorough)('give the same verdicts on objects of real definitions', async () => {
    const { counts, contradictions } = await compareAll(
      recordedSources(join(SHARED, 'oracle/golden/suites-1.37.jsonl.gz'), join(SHARED, 'corpora')),
    );
    expect(contradictions).toEqual([]);
    expectUsed(counts);
  });
});
