import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thorough } from '../../../testing/thorough.ts';
import { PROJECT } from '../places.ts';
import { runSummarySchema } from '../result/summary.ts';
import type { ExperimentResult, Gate, RunSummary } from '../result/summary.ts';
import { sorted } from '../result/verdicts.ts';
import { KEP_LISTS, listTitle } from '../workloads/list-workload.ts';
import { EXPERIMENTS } from './all.ts';

/** Names of experiments that take seconds at their smallest sizes. They run only in thorough test runs. */
const LONG: readonly string[] = ['batch-size', 'cancellation', 'definitions', 'fairness', 'memory', 'nested-lists', 'replicas', 'tracing'];
const NAMES = EXPERIMENTS.filter(({ isRunByName = false }) => !isRunByName)
  .map(({ name }) => name)
  .filter((name) => thorough || !LONG.includes(name));
/**
 * Returns true if this test checks a gate. It ignores memory gates, which only full runs check, because memory depends on when a busy
 * machine collects garbage.
 */
const decides = ({ measure }: Gate): boolean => measure !== 'bytes';
/** Timeout in ms. It exceeds the time on any machine, so it only ends a run that hangs. */
const HANGS_MS = 1_500_000;

describe('each experiment, run at its smallest sizes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lab-'));
  let reported = '';
  let summary: RunSummary | undefined;

  beforeAll(() => {
    const program = join(PROJECT, 'dist/loadtests/src/main.js');
    const run = spawnSync(process.execPath, [program, ...NAMES, '--smallest', '--out', folder], { encoding: 'utf8', timeout: HANGS_MS });
    reported = `${run.stdout}\n${run.stderr}`;
    const file = join(folder, 'summary.json');
    if (existsSync(file)) summary = runSummarySchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  }, HANGS_MS);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const resultOf = (name: string): ExperimentResult | undefined => summary?.experiments.find((one) => one.name === name);

  it.each(NAMES)('%s is complete, and has figures', (name) => {
    const result = resultOf(name);
    expect(result, reported).toBeDefined();
    if (result === undefined) return;
    expect({ status: result.status, why: result.why }).toEqual({ status: 'complete', why: undefined });
    expect(sorted(result.gates.filter(decides)).failed).toEqual([]);
    expect(result.finding).toMatch(/\d/);
    expect(result.cells.length + result.gates.length).toBeGreaterThan(0);
    for (const { title, rows } of result.tables) expect([title, rows.flat().some((text) => /\d/.test(text))]).toEqual([title, true]);
  });

  it('writes a report in every form', () => {
    for (const file of ['report.html', 'summary.md', 'junit.xml']) expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).not.toMatch(/−\d[\d.]* (B|KiB|MiB|GiB)|NaN|Infinity|experiments? failed/);
    for (const name of NAMES) expect(page).toContain(`<section id="${name}"`);
  });

  it('begins its report with the lists of the KEP: one chart, with its table below', () => {
    const [first] = summary?.experiments ?? [];
    expect([first?.name, first?.charts[0]?.id, first?.tables[0]?.below]).toEqual(['list-length', 'kep-lists', 'kep-lists']);
    const rows = new Map(first?.tables[0]?.rows.map(([what = '', ...figures]) => [what, figures]));
    expect(first?.tables[0]?.columns.slice(1)).toEqual(KEP_LISTS.map((list) => `list of ${listTitle(list)}`));
    for (const what of [
      'time from bytes to verdict: Assay, with its fast reader',
      'time from bytes to verdict: Assay, with the exact way',
      'exact way: part of the time for the CEL rule',
      'KEP-2876: longest allowed time of CEL (5 × the time in plain Go)',
    ])
      for (const figure of rows.get(what) ?? ['missing']) expect([what, figure]).toEqual([what, expect.stringMatching(/^\d/)]);
    expect(rows.get('code with which Assay judged the object')).toEqual(Array.from({ length: 3 }, () => 'generated reader'));
  });
});
