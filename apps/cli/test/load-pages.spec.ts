import { describe, expect, it } from 'vitest';
import type { AddedTime } from '#benchmark';
import { clusterLoadPage } from '../src/commands/load/cluster/page.ts';
import type { ClusterLoadReport, WriteRow } from '../src/commands/load/cluster/report.ts';
import { ruleCostPage } from '../src/commands/load/rule-costs/page.ts';
import type { RuleCost, RuleCostReport } from '../src/commands/load/rule-costs/report.ts';

const FAMILY = 'comprehensions over lists';
const PATH = 'properties[spec].properties[a].x-kubernetes-validations[0]';
const HOSTILE = '<img src=x onerror=alert(1)>"\'`\u202e\u001b[2J\r\u0085\n::error::x ##[error]y';
const definition = 'widgets.example.com';

function writeRow(size: number, ms: number, more: Partial<WriteRow> = {}): WriteRow {
  return {
    definition,
    version: 'v1',
    source: 'crd.yaml#1',
    path: PATH,
    rule: 'self.all(s, s >= 0)',
    size,
    bytes: 10 * size,
    cost: 5 * size,
    predicted: { kind: 'predicted', ms: size / 10, family: FAMILY },
    expected: 'accepted',
    sent: 20,
    failed: 0,
    latencies: { samples: 20, p50: ms, median: { ms, lo: 0.9 * ms, hi: 1.2 * ms } },
    ...more,
  };
}

function loadReport(more: Partial<ClusterLoadReport> = {}): ClusterLoadReport {
  return {
    schema: 'assay.dev/cluster-load/v1',
    cluster: 'fake',
    server: 'http://127.0.0.1:1',
    version: 'v1.36.1',
    rate: 20,
    isAlone: true,
    durationMs: 30_000,
    stopAtMs: 5000,
    name: 'assay-load-0a1b2c3d',
    workload: 'worst',
    isInterrupted: false,
    rights: { kind: 'allowed' },
    seconds: 30,
    requests: 100,
    answered: 100,
    failed: 0,
    notSent: 0,
    late: 0,
    unanswered: 0,
    statuses: [],
    errors: [],
    writes: [50, 100, 200, 400].map((size) => writeRow(size, 3 + size / 5)),
    growth: [
      {
        definition,
        version: 'v1',
        path: PATH,
        rule: 'self.all(s, s >= 0)',
        verdict: 'grows',
        exponent: { value: 1.02, lo: 0.98, hi: 1.1 },
        costExponent: 1,
        predictedExponent: 1,
      },
    ],
    familiesOff: [],
    leftOut: [],
    serverHistograms: { kind: 'read', changes: [] },
    ...more,
  };
}

function ruleCost(added: AddedTime, more: Partial<RuleCost> = {}): RuleCost {
  return {
    version: 'v1',
    path: PATH,
    rule: 'self.all(s, s >= 0)',
    cost: 1000,
    evaluations: 1,
    bytes: 100,
    predicted: { ms: 4, family: FAMILY },
    pairs: 40,
    codes: { without: 201, with: 201 },
    withoutMs: 10,
    withMs: 20,
    added,
    ...more,
  };
}
const ADDS: AddedTime = { verdict: 'adds', p50: { ms: 10, lo: 9, hi: 11 } };
const NONE: AddedTime = { verdict: 'noDifference', p50: { ms: 0.01, lo: -0.2, hi: 0.2 } };
const NOISE: AddedTime = { verdict: 'undecided', why: 'noise', p50: { ms: 3, lo: -1, hi: 7 } };

function costReport(rules: readonly RuleCost[], more: Partial<RuleCostReport> = {}): RuleCostReport {
  return {
    schema: 'assay.dev/rule-costs/v1',
    cluster: 'fake',
    version: 'v1.36.1',
    definition,
    run: 'r0a1b2c3d',
    seconds: 12,
    isInterrupted: false,
    rules,
    notMeasured: [],
    definitions: { removed: ['a'], left: [] },
    ...more,
  };
}

const charts = (page: string): string[] => [...page.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, title = '']) => title);
const PAGES: readonly (readonly [string, string])[] = [
  ['a load', clusterLoadPage(loadReport())],
  ['given objects', clusterLoadPage(loadReport({ workload: 'given', growth: [], writes: [writeRow(10, 20)] }))],
  ['the costs of rules', ruleCostPage(costReport([ruleCost(ADDS), ruleCost(NOISE)]))],
  ['a measurement without rules', ruleCostPage(costReport([], { stopped: 'it was stopped' }))],
];

describe('pages with measurements of an API server', () => {
  it.each(PAGES)('of %s run no script and load nothing', (_, page) => {
    expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src/);
    expect(page).not.toMatch(/<script|\ssrc=|href="(?!#)|url\(|@import/);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('show the growth of the time beside the growth of the prediction', () => {
    const page = clusterLoadPage(loadReport());
    expect(charts(page)).toEqual([
      'No family of rules is off by more than a factor of 2',
      'The time of <code>spec.a [0]</code> grows with size^1.02, and its prediction with size^1.00',
    ]);
    expect(page).toContain('The growth: time size^1.02 (0.98 to 1.10), predicted size^1.00, cost size^1.00.');
    expect(page.split(`${definition} v1 ${PATH}</td>`)).toHaveLength(2);
    expect(page.match(/<title>measured: whole write: [\d.]+ ms at/g)).toHaveLength(2 * 4);
    expect(page.match(/<title>predicted: rules alone: [\d.]+ ms at/g)).toHaveLength(2 * 4);
  });

  it('draw no growth if the measurements decide none', () => {
    const growth = [
      { definition, version: 'v1', path: PATH, rule: 'self.all(s, s >= 0)', verdict: 'undecided', reason: 'the noise' } as const,
    ];
    const page = clusterLoadPage(loadReport({ growth }));
    expect(charts(page)[1]).toBe('How the time of <code>spec.a [0]</code> grows is undecided: the noise');
    expect(page).toContain('The growth is undecided, so a slope between the points proves nothing.');
    expect(page).not.toContain('size^');
  });

  it('name the rule families whose times differ most from the predictions, the largest difference first', () => {
    const writes = [writeRow(1, 5), writeRow(100, 100)];
    const familiesOff = [
      { family: FAMILY, ratio: 3, writes: 1 },
      { family: 'fields and operators', ratio: 0.2, writes: 1 },
    ] as const;
    const page = clusterLoadPage(loadReport({ growth: [], writes, familiesOff }));
    expect(charts(page)).toEqual([
      `For rules of the family fields and operators, the measured time is 0.2× the prediction, and these are off, too: ${FAMILY}`,
    ]);
    expect(page).toContain(`<title>spec.a [0], size 100 (${FAMILY}): 95 ms at 10 ms</title>`);
    const short = clusterLoadPage(loadReport({ growth: [], writes: [writeRow(1, 1), writeRow(1, 2)] }));
    expect(charts(short)).toEqual(['No rule takes long enough to compare its time with the prediction']);
  });

  it('draw a measured dot only for a rule whose added time the measurements decide', () => {
    const page = ruleCostPage(costReport([ruleCost(NOISE), ruleCost(ADDS, { measuredOverPredicted: 2.5 }), ruleCost(NONE)]));
    expect(charts(page)).toEqual(['<code>spec.a [0]</code> adds 10 ms to its most expensive create, 2.5× its predicted time']);
    expect(page.match(/<title>added on the server, at p50, 2&#160;spec.a \[0\]: 10 ms/g)).toHaveLength(2);
    expect(page.match(/<title>added on the server/g)).toHaveLength(2);
    expect(page.match(/<title>predicted Go time/g)).toHaveLength(2 * 3);
    expect(page).toContain('Rule 1 has no measured dot: undecided: too much noise (−1 ms to 7 ms).');
    expect(page).toContain('Rule 3 has no measured dot: no difference found');
    expect(page).not.toContain('Rule 2 has no measured dot');
  });

  it.each<[title: string, rules: readonly RuleCost[]]>([
    ['No difference is found for any rule', [ruleCost(NONE), ruleCost(NONE)]],
    ['For no rule, the measurement decides how much time it adds', [ruleCost(NONE), ruleCost(NOISE)]],
  ])('state no time if no rule adds a decided time: %s', (title, rules) => {
    expect(charts(ruleCostPage(costReport(rules)))).toEqual([title]);
  });

  it('name the reason if a measurement ended early', () => {
    expect(ruleCostPage(costReport([], { stopped: 'ask later (429)' }))).toContain('The measurement ended early: ask later (429)');
    expect(ruleCostPage(costReport([], { isInterrupted: true }))).toContain('The measurement ended early: the user interrupted it');
    const earlyEnd = { why: 'errors', sentence: 'no answer' } as const;
    expect(clusterLoadPage(loadReport({ earlyEnd }))).toContain('The load ended early: no answer');
  });

  it('show hostile names as plain text', () => {
    const path = `properties[${HOSTILE}].x-kubernetes-validations[0]`;
    const named = { definition: HOSTILE, path, rule: HOSTILE, source: HOSTILE, problem: HOSTILE };
    const writes = [
      writeRow(1, 5, named),
      writeRow(100, 100, named),
      writeRow(9, 9, { ...named, predicted: { kind: 'notPredicted', reason: HOSTILE } }),
    ];
    const growth = [{ definition: HOSTILE, version: 'v1', path, rule: HOSTILE, verdict: 'undecided', reason: HOSTILE } as const];
    const pages = [
      clusterLoadPage(
        loadReport({
          cluster: HOSTILE,
          version: HOSTILE,
          writes,
          growth,
          familiesOff: [{ family: FAMILY, ratio: 3, writes: 1 }],
          leftOut: [{ what: HOSTILE, reason: HOSTILE }],
          earlyEnd: { why: 'errors', sentence: HOSTILE },
        }),
      ),
      ruleCostPage(
        costReport([ruleCost(ADDS, { path, rule: HOSTILE }), ruleCost(NOISE, { path, rule: HOSTILE, problem: HOSTILE })], {
          cluster: HOSTILE,
          definition: HOSTILE,
          stopped: HOSTILE,
          notMeasured: [{ path: HOSTILE, why: HOSTILE }],
        }),
      ),
    ];
    for (const page of pages) {
      expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(page).not.toMatch(/<img|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
      expect(page.split('\n').filter((line) => line.trim().startsWith('::') || line.includes('##[error]'))).toEqual([]);
    }
  });
});
