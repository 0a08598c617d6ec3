import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runAssay } from '../../../testing/run-assay.ts';
import { sampled, thorough } from '../../../testing/thorough.ts';
import { RECOMMENDED } from '../src/gates/gate-list.ts';
import { changedRepository } from './changed-repository.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const REGRESSIONS = join(ROOT, '../shared/regressions');

/**
 * Changes of public projects. `from` and `to` name the states of a case, and `minor` is the Kubernetes version on which the change costs
 * most. `gates` are single gates that must fail. The control has none.
 */
const CASES = [
  {
    name: 'E1',
    from: 'before',
    to: 'after',
    minor: '1.33',
    gates: ['estimate-worse>400%', 'limit-share>25%', 'new-rule-share>10%', 'oldest-minor>1.33'],
  },
  { name: 'E2', from: 'fixed', to: 'before', minor: '1.37', gates: ['estimate-worse>400%', 'limit-share>25%', 'oldest-minor>1.37'] },
  { name: 'E4', from: 'fixed', to: 'before', minor: '1.33', gates: ['estimate-worse>400%', 'limit-share>25%', 'new-rule-share>10%'] },
  { name: 'E5', from: 'fixed', to: 'before', minor: '1.33', gates: ['estimate-worse>400%', 'limit-share>25%', 'new-rule-share>10%'] },
  { name: 'E7', from: 'fixed', to: 'before', minor: '1.33', gates: ['estimate-worse>400%', 'limit-share>25%'] },
  { name: 'C1', from: 'before', to: 'after', minor: '1.33', gates: [] },
] as const;

/** Cases that the short form of this spec compares with `assay diff`. The definitions of the others are large, and their diffs take seconds. */
const SHORT: readonly string[] = ['E4', 'E5', 'C1'];
const COMPARED = thorough ? CASES : CASES.filter(({ name }) => SHORT.includes(name));

/** Parts of the JSON of `assay bench`. */
const studyReport = z.object({
  failed: z.array(z.object({ gate: z.string() })).default([]),
  rules: z.array(z.object({ change: z.string(), cutOff: z.string().optional() })),
});

/** Creates a repository whose working tree has the newer state of a case. */
function repository({ name, from, to }: { readonly name: string; readonly from: string; readonly to: string }): string {
  const textOf = (state: string): string => readFileSync(join(REGRESSIONS, name, `${state}.yaml`), 'utf8');
  return changedRepository({ 'crd.yaml': textOf(from) }, { 'crd.yaml': textOf(to) });
}

if (!existsSync(REGRESSIONS)) process.stdout.write(`the changes of public projects are not there: ${REGRESSIONS}\n`);

describe.skipIf(!existsSync(REGRESSIONS))('recorded changes of public projects', () => {
  it.each(COMPARED)('$name makes assay diff pass or fail as expected', async (one) => {
    const folder = repository(one);
    const diff = async (gates: string, ...more: string[]): Promise<number> =>
      (await runAssay(['diff', 'HEAD', folder, '--fail-on', gates, ...more])).status;
    const wanted = one.gates.length > 0 ? 1 : 0;
    expect(await diff(RECOMMENDED.diff)).toBe(wanted);
    expect(await diff(RECOMMENDED.diff, '-k', one.minor)).toBe(wanted);
    for (const gate of one.gates) expect([gate, await diff(gate), await diff(gate, '-k', one.minor)]).toEqual([gate, 1, 1]);
    expect(await diff('estimate-worse>1000000000%')).toBe(0);
  });

  it.each(sampled(CASES, 5))('$name makes assay bench pass or fail as expected', async (one) => {
    const folder = repository(one);
    const isControl = one.gates.length === 0;
    // Gates on estimates need no search, so a short search suffices for the other cases. Only a long search decides all rules of the
    // control case.
    const isDecided = isControl && thorough;
    const argv = ['bench', folder, '--base', 'HEAD', '--no-times', '--budget', isDecided ? '60s' : '1s', '-o', 'json', '-k', one.minor];
    const gates = isControl && !isDecided ? RECOMMENDED.bench.replace(',undecided', '') : RECOMMENDED.bench;
    const { status, stdout } = await runAssay([...argv, '--fail-on', gates]);
    const { failed } = studyReport.parse(JSON.parse(stdout));
    expect(status).toBe(isControl ? 0 : 1);
    const estimates = one.gates.filter((gate) => gates.includes(gate));
    expect(failed.map(({ gate }) => gate)).toEqual(expect.arrayContaining([...estimates]));
    if (isControl) expect(failed).toEqual([]);
  });

  it('pass assay diff in the form that the project fixed later', async () => {
    const fixes = [
      ['E1', 'before', 'fixed'],
      ['E2', 'before', 'fixed'],
      ['E4', 'before', 'fixed'],
      ['E5', 'before', 'fixed'],
      ['E7', 'before', 'fixed'],
    ] as const;
    for (const [name, from, to] of sampled(fixes, 2)) {
      const { status } = await runAssay(['diff', 'HEAD', repository({ name, from, to }), '-k', '1.33', '--fail-on', RECOMMENDED.diff]);
      expect([name, status]).toEqual([name, 0]);
    }
  });

  it('are studied by assay bench with the new rules first', async () => {
    const [one] = CASES;
    const argv = ['bench', repository(one), '--base', 'HEAD', '--no-times', '--budget', '4s', '-k', '1.34', '-o', 'json'];
    const { stdout } = await runAssay([...argv, '--fail-on', 'cost-worse>100%,undecided']);
    const { rules } = studyReport.parse(JSON.parse(stdout));
    const cutOff = (change: string): number =>
      rules.filter((rule) => rule.change === change && rule.cutOff === 'study').length /
      rules.filter((rule) => rule.change === change).length;
    expect(cutOff('new')).toBeLessThanOrEqual(cutOff('none'));
  });
});

it('the documentation recommends the gates that catch these changes', () => {
  const page = readFileSync(join(ROOT, 'docs/how-to/continuous-integration.md'), 'utf8');
  for (const gates of Object.values(RECOMMENDED)) expect(page).toContain(`--fail-on "${gates}"`);
});
