import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chart } from '#report/charts';
import { CHARTS } from '../../../libs/report/src/charts/testing/charts.ts';
import type { Experiment, Findings } from '../experiments/experiment.ts';
import { SCHEMA_VERSION, runSummarySchema } from '../result/summary.ts';
import type { ExperimentResult, RunSummary } from '../result/summary.ts';
import { runExperiments } from '../run-experiments.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { reportPage } from './page.ts';
import { runText } from './run-words.ts';
import { writeResults } from './write-results.ts';

function experiment(overrides: Partial<ExperimentResult> = {}): ExperimentResult {
  return {
    name: 'sample',
    question: 'What is <found>?',
    finding: 'It is `fast`',
    status: 'complete',
    seconds: 1,
    noise: { samplesMs: [2, 2, 2.5], share: 0.3, verdict: 'noisy', load: 1 },
    charts: [...CHARTS],
    tables: [{ title: 'Figures', columns: ['a', 'b'], rows: [['x | y', '1']], notes: ['a note'] }],
    claims: [{ source: 'KEP-2876', claim: 'it is fast', system: 'Assay', found: '1 ms', verdict: 'holds' }],
    gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: '5', verdict: 'holds' }],
    cells: [{ id: 'cell', unit: 'ms', samples: [10, 10.1, 9.9, 10.05], value: 10 }],
    notes: ['said'],
    ...overrides,
  };
}

function run(overrides: Partial<ExperimentResult> = {}): RunSummary {
  return {
    schemaVersion: SCHEMA_VERSION,
    startedAt: '2026-01-02T03:04:05.000Z',
    endedAt: '2026-01-02T03:05:05.000Z',
    thoroughness: 'quick',
    seed: 1,
    complete: true,
    environment: { cpu: 'a CPU', cores: '2', node: 'v26', quota: 'none', revision: 'abc' },
    experiments: [experiment(overrides)],
  };
}

describe('reports of the lab', () => {
  it('are one page without scripts or requests, with all texts escaped', () => {
    const page = reportPage(run());
    expect(page).not.toMatch(/<script|<link|src=|@import/);
    expect(page).toContain('What is &lt;found&gt;?');
    expect(page).toContain('<code>fast</code>');
    expect(page).not.toContain('<found>');
    expect(page).toContain('The machine was busy during 1 of 1 experiment: sample (30 % of the probes disturbed)');
    expect(page.match(/<svg/g)).toHaveLength(2 * CHARTS.length);
  });

  it('name the gates and the experiments that failed', () => {
    const broken = run({ gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: '6 <', verdict: 'fails' }] });
    expect(reportPage(broken)).toContain('0 of 1 decided gate holds');
    expect(markdownReport(broken, 'charts')).toContain('**Gate that fails**: cost, expected 5, got 6 <.');
    expect(junitReport(broken)).toContain('<failure message="expected 5, got 6 &lt;"/>');
    expect(junitReport(run({ status: 'failed', why: 'no port' }))).toContain('<error message="no port"/>');
  });

  it('show a gate without a measurement as neither passed nor failed', () => {
    const partial = run({
      gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: 'not measured', verdict: 'not measured' }],
    });
    expect(reportPage(partial)).toContain('No gate is decided by this run, 1 is undecided');
    expect(junitReport(partial)).toContain('failures="0" errors="0" skipped="1"');
    expect(markdownReport(partial, 'charts')).toContain('No gate is decided by this run, 1 is undecided');
  });

  it('list the failures on a terminal in few lines', () => {
    const text = runText(run({ gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: '6', verdict: 'fails' }] }));
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('sample: gate fails: cost, expected 5, got 6');
  });

  it('explain each term once', () => {
    const words = /<section id="words".*?<\/section>/s.exec(reportPage(run()))?.[0] ?? '';
    for (const word of ['gate', 'slope', 'n^0.97', 'open load']) expect(words.split(`<dt>${word}</dt>`)).toHaveLength(2);
  });

  it('are written to a folder, from which they can be drawn again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-report-'));
    try {
      writeResults(run(), folder);
      const read = runSummarySchema.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')));
      expect(read).toEqual(run());
      expect(reportPage(read)).toBe(readFileSync(join(folder, 'report.html'), 'utf8'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('results of a run', () => {
  const finding = (name: string, found: Omit<Findings, 'finding'>): Experiment<undefined> => ({
    name,
    question: '?',
    measure: () => Promise.resolve(undefined),
    findings: () => ({ finding: 'found', ...found }),
  });
  const without = { id: 'a', unit: 'ms', samples: [1], value: Number.NaN } as const;

  it('are kept if they are readable, and only invalid ones are failures', async () => {
    const [scaling] = CHARTS;
    const broken = { ...scaling, id: 'broken', series: [{ name: 'a', role: 'assay', points: [{ x: 1, y: Number.NaN }] }] } as Chart;
    const experiments = [finding('a', { charts: [...CHARTS, broken] }), finding('b', { cells: [{ ...without, samples: [1] }] })];
    const options = { thoroughness: 'smallest', seed: 1, signal: new AbortController().signal, say: () => undefined } as const;
    const summary = await runExperiments(experiments, options);
    expect(runSummarySchema.safeParse(summary).success).toBe(true);
    expect(summary.experiments.map(({ status, charts }) => [status, charts.length])).toEqual([
      ['complete', CHARTS.length],
      ['failed', 0],
    ]);
    expect(summary.experiments[1]?.why).toContain('cells');
  });
});
