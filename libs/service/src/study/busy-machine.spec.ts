import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BaseComparison } from '#benchmark';
import { checkOptions } from '#documents';
import type { DocumentSlice } from '#documents';
import { EngineThreads } from '#runner';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { thorough } from '../../../../testing/thorough.ts';
import { studyDefinitions } from './study-definitions.ts';

/** Number of busy loops that run beside the studies, and number of studies for each pair of revisions. */
const [LOOPS, RUNS] = [2, 20];
/** Time budgets of studies in ms. `COSTS_MS` is sufficient only for costs, `TIMES_MS` also for comparing times. */
const [COSTS_MS, TIMES_MS] = [4000, 7000];
/** Maximum time in ms within which a study must report that a rule became slower. */
const IN_TIME_MS = 30_000;

/** Rule that compares all 10,000 pairs of elements of a list. */
const PAIRS = 'self.a.all(x, self.a.all(y, x <= y + 5))';
const more = (numbers: number): string =>
  `${PAIRS} && self.a.all(x, [${Array.from({ length: numbers }, (_, i) => i + 1).join(', ')}].all(y, x <= y + 5))`;
/** Rule that costs 20.4 % more than `PAIRS`. */
const MORE_COST = more(20);
/** Rule that takes 21 % more time than `PAIRS` on a quiet machine, and costs 14.5 % more. */
const MORE_TIME = more(14);

function definition(rule: string, description: string): DocumentSlice {
  const a = { type: 'array', maxItems: 100, items: { type: 'integer' } };
  const spec = { type: 'object', description, properties: { a }, 'x-kubernetes-validations': [{ rule }] };
  const document = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
  return { bytes: Buffer.from(JSON.stringify(document)), notation: 'json' };
}

const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;

type Compared = BaseComparison & { readonly kind: 'compared' };

describe.skipIf(!thorough)('two revisions, studied on a machine with two busy loops', () => {
  const engine = new EngineThreads({ threads: 2 });
  const loops: ChildProcess[] = [];
  beforeAll(async () => {
    for (let i = 0; i < LOOPS; i++) loops.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    engine.start();
    // The first study of a process loads the code of studies, so no test measures it.
    await study(PAIRS, TIMES_MS, 0);
  });
  afterAll(() => {
    for (const loop of loops) loop.kill('SIGKILL');
    engine.stop();
  });

  /** Studies a rule that replaces `PAIRS`. The definitions differ for each seed, so that no cached result is used. */
  function study(after: string, budgetMs: number, seed: number) {
    const base = { name: 'older', definitions: [definition(PAIRS, `older ${seed}`)] };
    const definitions = [{ source: 'crd.yaml#1', slice: definition(after, `newer ${seed}`) }];
    return studyDefinitions(engine, { definitions, objects: [], options, budgetMs, seed, base, isTimed: true, isWanted: () => true });
  }

  /** Compares the rule `after` with `PAIRS` in `RUNS` studies. Returns the result and the time in ms of each study. */
  async function compared(after: string, budgetMs: number): Promise<readonly { found: Compared; ms: number }[]> {
    const all: { found: Compared; ms: number }[] = [];
    for (let seed = 1; seed <= RUNS; seed++) {
      const begun = performance.now();
      const { rules } = await study(after, budgetMs, seed);
      const found = rules[0]?.base;
      if (found?.kind !== 'compared') throw new Error(`run ${seed} compared nothing: ${JSON.stringify(rules[0])}`);
      all.push({ found, ms: performance.now() - begun });
    }
    const reported = all.map(
      ({ found: { cost, time }, ms }) =>
        `${cost.verdict}/${time?.verdict ?? '-'} ${time?.ratio.toFixed(2)} ${time?.pairs} ${(ms / 1000).toFixed(1)}s`,
    );
    process.stdout.write(`${reported.join(', ')}\n`);
    return all;
  }

  it('are equal if they do not differ: always in cost, and in time in 19 of 20 runs', { timeout: 400_000 }, async () => {
    const runs = await compared(PAIRS, TIMES_MS);
    expect(runs.filter(({ found }) => found.cost.verdict === 'equal')).toHaveLength(RUNS);
    const apart = runs.filter(({ found }) => found.time?.verdict === 'slower' || found.time?.verdict === 'faster');
    expect(apart.length).toBeLessThanOrEqual(1);
  });

  it('differ by 20 % of cost in 20 of 20 runs', { timeout: 400_000 }, async () => {
    const runs = await compared(MORE_COST, COSTS_MS);
    expect(runs.filter(({ found }) => found.cost.verdict === 'dearer' && (found.cost.ratio ?? 0) > 1.19)).toHaveLength(RUNS);
  });

  it('differ by 20 % of time in 18 of 20 runs, each within 30 s', { timeout: 400_000 }, async () => {
    const runs = await compared(MORE_TIME, TIMES_MS);
    const slower = runs.filter(({ found, ms }) => found.time?.verdict === 'slower' && ms <= IN_TIME_MS);
    expect(slower.length).toBeGreaterThanOrEqual(18);
  });
});
