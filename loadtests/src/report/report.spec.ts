import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chart } from '#charts';
import { CHARTS } from '../../../libs/charts/src/testing/charts.ts';
import { soundResult } from '../result/sound-result.ts';
import { SCHEMA_VERSION, runSummarySchema } from '../result/summary.ts';
import type { ExperimentResult, RunSummary } from '../result/summary.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { reportPage } from './page.ts';
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
    cells: [{ id: 'cell', unit: 'ms', samples: [10, 10.1, 9.9, 10.05], statistic: 'median', value: 10 }],
    notes: ['said'],
    traces: [{ label: 'slowest', traceId: 'ab'.repeat(16), url: 'http://127.0.0.1:16686/trace/ab' }],
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
    noiseFloor: 1.05,
    experiments: [experiment(overrides)],
  };
}

describe('reports of the lab', () => {
  it('are one page without script or request, with every text made safe', () => {
    const page = reportPage(run());
    expect(page).not.toMatch(/<script|<link|src=|@import/);
    expect(page).toContain('What is &lt;found&gt;?');
    expect(page).toContain('<code>fast</code>');
    expect(page).not.toContain('<found>');
    expect(page).toContain('the machine was busy during 1 of 1 experiment ');
    expect(page.match(/<svg/g)).toHaveLength(2 * CHARTS.length);
  });

  it('say what failed', () => {
    const broken = run({ gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: '6 <', verdict: 'fails' }] });
    expect(reportPage(broken)).toContain('The only gate fails');
    expect(markdownReport(broken)).toContain('| sample | cost | 5 | 6 < |');
    expect(junitReport(broken)).toContain('<failure message="expected 5, got 6 &lt;"/>');
    expect(junitReport(run({ status: 'failed', why: 'no port' }))).toContain('<error message="no port"/>');
  });

  it('neither pass nor fail a gate that was not measured', () => {
    const partial = run({
      gates: [{ name: 'cost', measure: 'cost units', expected: '5', actual: 'not measured', verdict: 'not measured' }],
    });
    expect(reportPage(partial)).toContain('The only gate was not measured');
    expect(junitReport(partial)).toContain('failures="0" errors="0" skipped="1"');
    expect(markdownReport(partial)).toContain('Load lab: the only gate was not measured');
  });

  it('explain their terms once', () => {
    const words = /<section id="words".*?<\/section>/s.exec(reportPage(run()))?.[0] ?? '';
    for (const word of ['gate', 'slope', 'n^0.97', 'noise floor']) expect(words.split(`<dt>${word}</dt>`)).toHaveLength(2);
  });

  it('are written into a folder, from which they can be drawn again', () => {
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

describe('results that were cut short', () => {
  const empty = { id: 'empty', unit: 'ms', samples: [Number.NaN], statistic: 'median', value: Number.NaN } as const;

  it('keep what can be told', () => {
    const [scaling] = CHARTS;
    const broken = { ...scaling, id: 'broken', series: [{ name: 'a', role: 'assay', points: [{ x: 1, y: Number.NaN }] }] } as Chart;
    const sound = soundResult(experiment({ cells: [{ ...empty, samples: [...empty.samples] }], charts: [...CHARTS, broken] }));
    expect(sound.cells).toMatchObject([{ samples: [], value: null }]);
    expect(sound.charts).toHaveLength(CHARTS.length);
    expect(sound.notes.at(-1)).toContain('1 chart left out');
    expect(runSummarySchema.safeParse({ ...run(), experiments: [sound] }).success).toBe(true);
  });

  it('fail alone where nothing fits', () => {
    expect(soundResult(experiment({ seconds: Number.NaN }))).toMatchObject({
      status: 'failed',
      why: expect.stringContaining('seconds') as string,
    });
  });
});
