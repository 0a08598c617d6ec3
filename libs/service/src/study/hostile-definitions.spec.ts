import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineThreads } from '#runner';
import { definitionOf } from '../../../../testing/hostile-definitions.ts';
import { HOSTILE_STUDIES } from '../../../../testing/hostile-studies.ts';
import { studyDefinitions } from './study-definitions.ts';
import { sampled } from '../../../../testing/thorough.ts';

const BUDGET_MS = 1000;
/**
 * Maximum CPU time in ms that a study may use after its rules are known: two threads for the whole budget, plus 10 s. The time for reading
 * the definition is not included.
 */
const MAX_CPU_MS = 2 * BUDGET_MS + 10_000;
const MAX_REPORT_BYTES = 8 * 1024 * 1024;
const MAX_MEMORY_KB = 1.5 * 1024 * 1024;

const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;

describe('the study of a hostile definition', () => {
  const engine = new EngineThreads({ threads: 2 });
  beforeAll(() => engine.start());
  afterAll(() => engine.stop());

  it.each(sampled(HOSTILE_STUDIES, 5))('ends in time, with a result or a reason for each rule: %s', async (_, spec, words) => {
    const slice = { bytes: Buffer.from(definitionOf(spec)), notation: 'json' } as const;
    // The study calls `isWanted` as soon as it knows the rules, so the CPU time is counted from then on.
    let known = process.cpuUsage();
    const isWanted = (): boolean => {
      known = process.cpuUsage();
      return true;
    };
    const request = {
      definitions: [{ source: 'crd.yaml#1', slice }],
      objects: [],
      options,
      budgetMs: BUDGET_MS,
      seed: 1,
      base: undefined,
      isTimed: true,
      isWanted,
    };
    const found = await studyDefinitions(engine, request);
    const { user, system } = process.cpuUsage(known);
    expect((user + system) / 1000).toBeLessThan(MAX_CPU_MS);
    expect(found.rules.length).toBeGreaterThan(0);
    const unanswered = found.rules.filter(({ worst, obstacle, notStudied }) => (worst ?? obstacle ?? notStudied) === undefined);
    expect(unanswered).toEqual([]);
    expect(found.notStudied.filter(({ reason }) => reason.includes('ended the thread'))).toEqual([]);
    const report = JSON.stringify(found);
    expect(report).toMatch(words);
    expect(report.length).toBeLessThan(MAX_REPORT_BYTES);
  });

  it('takes less than 1.5 GB of memory', () => {
    expect(process.resourceUsage().maxRSS).toBeLessThan(MAX_MEMORY_KB);
  });
});
