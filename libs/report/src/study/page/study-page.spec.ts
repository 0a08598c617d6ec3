import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { PlacedFindings, StudyReport } from '#benchmark';
import { MINORS, minorWords } from '#kube';
import { studyPage } from './study-page.ts';

type FieldFindings = PlacedFindings['growsWith'][number];

const SIZES = [16, 64, 256, 1024, 4096];
const PLAN = { fields: {}, old: 'none' } as const;

function field(overrides: Partial<FieldFindings> = {}): FieldFindings {
  return {
    field: 'spec.list',
    unit: 'items',
    bound: 5000,
    costExponent: 2,
    near: 'n²',
    points: SIZES.map((size) => ({ size, cost: 3 + size * size })),
    timeExponent: { value: 1.02, lo: 0.97, hi: 1.08 },
    times: (['Assay compiled', 'Assay interpreted'] as const).map((engine, i) => ({
      engine,
      points: SIZES.map((size) => ({ size, ms: (size * (i + 1)) / 1e4 })),
    })),
    ...overrides,
  };
}

function rule(overrides: Partial<PlacedFindings> = {}): PlacedFindings {
  return {
    definition: 'widgets.example.com',
    source: 'widgets.yaml',
    version: 'v1',
    path: 'properties[spec].x-kubernetes-validations[0]',
    rule: 'self.list.all(a, self.list.exists_one(b, a == b))',
    estimate: { call: '31457280', object: '31457280' },
    growsWith: [field()],
    budgetEndsAt: { field: 'spec.list', unit: 'items', size: 1000, limit: 'call', plan: PLAN },
    worst: { cost: 998_004, evaluations: 1, bytes: 4096, end: 'accepted', plan: { fields: { 'spec.list': { size: 999 } }, old: 'none' } },
    estimateOverWorst: 31.5,
    isPartial: false,
    suggestedBounds: [{ field: 'spec.list', keyword: 'maxItems', suggested: 563, before: 5000 }],
    claims: [{ claim: 'the estimate is at least the cost', found: '31.5×', verdict: 'holds' }],
    times: [{ engine: 'Assay compiled', what: 'rule', ms: 2.5, nsPerUnit: 2.5 }],
    ...overrides,
  };
}

function study(overrides: Partial<StudyReport> = {}): StudyReport {
  return {
    schema: 'assay.dev/study/v1',
    kubernetesVersion: '1.37',
    seed: 7,
    node: 'v26',
    cpu: 'a CPU',
    budgetMs: 60_000,
    isPartial: false,
    definitions: [{ source: 'widgets.yaml', definition: 'widgets.example.com', rules: 1 }],
    rules: [rule()],
    notStudied: [],
    ...overrides,
  };
}

/** Returns the texts of all table cells in a section, as one list for each row. */
function rowsOf(page: string, section: string): string[][] {
  const { document } = parseHTML(page);
  return [...document.querySelectorAll(`#${section} > .scroll tr`)].map((row) =>
    [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent ?? ''),
  );
}

describe('the table of the slowest work in a study', () => {
  const slowestCells = [
    { kind: 'costs', definition: 'widgets.example.com', rule: 'v1 spec', node: 'a/1', ms: 1500 },
    { kind: 'explain', ms: 12 },
  ];

  it('shows the processes that did the work, and a link to the trace', () => {
    const page = studyPage(study({ slowestCells, traceId: 'abc', trace: 'http://jaeger/trace/abc' }));
    expect(rowsOf(page, 'work')).toEqual([
      ['work', 'rule', 'process', 'time of a thread'],
      ['costs', 'widgets.example.com v1 spec', 'a/1', '1.5 s'],
      ['explain', ' ', '', '12 ms'],
    ]);
    expect(parseHTML(page).document.querySelector('#work a')?.getAttribute('href')).toBe('http://jaeger/trace/abc');
  });

  it("is absent for a study without a service, and shows the trace's id if no address for traces is set", () => {
    expect(studyPage(study())).not.toContain('The slowest work');
    for (const trace of [undefined, 'javascript:alert(1)'])
      expect(studyPage(study({ slowestCells, traceId: 'abc', ...(trace !== undefined && { trace }) }))).toContain(
        'Trace: <code>abc</code>',
      );
  });
});

describe('the page of a study', () => {
  it.each(MINORS)('names Kubernetes version %s, and says whether the version is a preview', (kubernetesVersion) => {
    expect(studyPage(study({ kubernetesVersion }))).toContain(`Kubernetes ${minorWords(kubernetesVersion)} ·`);
  });

  it('allows one style sheet and nothing else', () => {
    const page = studyPage(study());
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    );
    expect(page.match(/<style|<script|<link|<img|<iframe|@import|url\(| style=| on[a-z]+=/g)).toEqual(['<style']);
  });

  it('shows fields whose sizes multiply, and the length at which both reach the limit', () => {
    const growsTogether = {
      fields: (['spec.list', 'spec.others'] as const).map((name) => ({ field: name, unit: 'items' as const })),
      costExponent: 2,
      near: 'n²' as const,
      wouldEndAt: 379,
      points: SIZES.map((size) => ({ size, cost: 3 + size * size })),
    };
    const ended = rule({
      growsTogether,
      budgetEndsAt: { field: 'spec.list', unit: 'items', together: ['spec.others'], size: 379, limit: 'call', plan: PLAN },
    });
    const page = studyPage(study({ rules: [ended] }));
    expect(rowsOf(page, 'rules')[1]?.slice(4, 6)).toEqual(['spec.list × spec.others: n²', '379 in each field']);
    expect(rowsOf(page, 'r1')).toContainEqual([
      'refused',
      'from 379 items of spec.list and of spec.others on, by the limit of one evaluation',
    ]);
    expect(page).toContain('refused from 379 each on');
    // If no write confirmed a size, the size in `growsTogether` applies to each of its fields.
    const bounded = rule({ growsTogether, budgetEndsAt: undefined, growsWith: [field({ wouldEndAt: 29_413 })] });
    expect(rowsOf(studyPage(study({ rules: [bounded] })), 'rules')[1]?.[5]).toBe('(379 in each field)');
  });

  it('shows costs before times, and names the engine of each time', () => {
    const compared = {
      kind: 'compared',
      cost: { base: 500_000, head: 998_004, ratio: 2, verdict: 'dearer' },
      time: { engine: 'Assay compiled', ratio: 1.9, lo: 1.7, hi: 2.1, verdict: 'slower', pairs: 64 },
    } as const;
    const page = studyPage(study({ base: 'main', rules: [rule({ base: compared })] }));
    const [head, first] = rowsOf(page, 'rules');
    expect(head).toEqual([
      'rule',
      'most expensive write found, units',
      'estimate of an object, units',
      'estimate ÷ highest cost found',
      'grows with',
      'refused from',
      'cost beside the base',
      'one evaluation, Assay compiled',
      'time beside the base',
    ]);
    expect(first?.slice(1)).toEqual([
      '998,004',
      '31,457,280',
      '32×',
      'spec.list: n²',
      '1,000',
      'more expensive: 500,000 → 998,004 units',
      '2.5 ms',
      'slower: 1.90× [1.70, 2.10], Assay compiled',
    ]);
    const facts = rowsOf(page, 'r1');
    for (const fact of [
      ['estimate of an object', '31,457,280 of 10,000,000 units: exceeds the limit 3.1x'],
      ['refused', 'from 1,000 items of spec.list on, by the limit of one evaluation'],
      ['suggested bound', 'spec.list: maxItems 563 (now 5,000)'],
      ['time of one evaluation, Assay compiled', '2.5 ms; 2.50 ns a unit'],
      ['growth of time with spec.list', 'n^1.02 [0.97, 1.08]'],
      ['claim: the estimate is at least the cost', '✓ holds 31.5×'],
    ])
      expect(facts).toContainEqual(fact);
    expect(facts.findIndex(([name]) => name?.startsWith('time'))).toBeGreaterThan(
      facts.findLastIndex(([name]) => name?.includes('of cost') === true),
    );
    expect(page).not.toMatch(/\bworst\b/i);
  });

  it("draws costs with their limits, and times beside the KEP's figures only if the sizes are list lengths", () => {
    const [cost = '', time = ''] = studyPage(study()).match(/<svg.*?<\/svg>/gs) ?? [];
    for (const label of [
      'limit of one evaluation: 1,000,000',
      'budget of an object: 10,000,000',
      'bound of spec.list: 5,000',
      'refused from 1,000 on',
    ])
      expect(cost).toContain(label);
    expect(time).toContain('fill="var(--claim)"');
    const page = studyPage(study({ rules: [rule({ growsWith: [field({ unit: 'code points' })] })] }));
    expect(page).not.toContain('fill="var(--claim)"');
    expect(page.match(/<svg/g)).toHaveLength(2);
  });

  it('shows texts of a report without executing them', () => {
    const evil = '</code></style><script>alert(1)</script>"\u202e`<u>`';
    const growsWith = [field({ field: evil, times: [{ engine: 'Assay compiled', points: [{ size: 1, ms: 1 }] }] })];
    const claims = [{ claim: evil, found: evil, verdict: 'fails' as const }];
    const suggestedBounds = [{ field: evil, keyword: 'maxItems', suggested: 1, before: null }];
    const evilRule = rule({ rule: evil, definition: evil, source: evil, path: evil, growsWith, claims, suggestedBounds, obstacle: evil });
    const rules = [
      { ...evilRule, budgetEndsAt: { field: evil, unit: 'items' as const, size: 1, limit: 'call' as const, plan: PLAN }, worst: undefined },
    ];
    const page = studyPage(study({ rules, base: evil, cpu: evil, isPartial: true, notStudied: [{ reason: evil, rules: 2 }] }));
    expect(page).not.toMatch(/<script|<u>|\u202e/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('2 rules not studied: ');
  });

  it('reports if rules are missing, or if there are none', () => {
    expect(studyPage(study({ rules: [] }))).toContain('<h1>No rule was studied</h1>');
    const nothing = {
      growsWith: [],
      budgetEndsAt: undefined,
      worst: undefined,
      estimate: undefined,
      estimateOverWorst: undefined,
      claims: [],
      times: [],
    };
    const page = studyPage(
      study({
        isPartial: true,
        rules: [rule({ ...nothing, suggestedBounds: [], isPartial: true, notStudied: 'it reads the clock' })],
      }),
    );
    expect(page).toContain('The time of 60 s was over before the study came to its end.');
    expect(page).toContain('Not finished: the study of this rule reached its time limit before it had tried all sizes');
    expect(page).toContain('Not studied: it reads the clock');
    expect(page).toContain('None of 1 rule reaches a limit of cost');
    expect(page).not.toMatch(/<svg|NaN|undefined|Infinity/);
  });

  it('omits the charts of cheap rules if the page would be too large', () => {
    const many = Array.from({ length: 240 }, (_, i) => rule({ worst: { ...rule().worst, cost: i } as PlacedFindings['worst'] }));
    const page = studyPage(study({ rules: many }));
    expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
    expect(page).toMatch(/<p class="trust doubt">\d+ charts left out, to keep the page under 2 MB/);
    expect(page).toContain('id="r240-cost"');
    expect(page).toMatch(/left out, to keep the page small/);
    expect(page).not.toContain('id="r1-time-1"');
  });

  it('has unique ids, and a target for every link', () => {
    const page = studyPage(study({ rules: [rule(), rule({ growsWith: [field(), field({ field: 'spec.other' })] })] }));
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/href="#([^"]*)"|aria-(?:labelledby|describedby)="([^"]*)"/g)].map(([, link, label]) => link ?? label);
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(10);
  });
});
