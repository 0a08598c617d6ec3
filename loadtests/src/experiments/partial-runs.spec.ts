import { describe, expect, it } from 'vitest';
import { bytesText, countText, timeText } from '#numbers';
import { chartData, draw } from '#report/charts';
import { thorough } from '../../../testing/thorough.ts';
import { experimentSchema } from '../result/summary.ts';
import type { ReportCell } from '../result/summary.ts';
import { ALL } from './all.ts';
import { conclude } from './experiment.ts';
import type { Experiment, Findings } from './experiment.ts';
import { allMissing, nothingMissing, someMissing, Synthesis } from './testing/synthesis.ts';
import type { Decision } from './testing/synthesis.ts';
import { STUDY_DATA } from './testing/synthetic-engine-data.ts';
import * as service from './testing/synthetic-service-data.ts';

const SEED = 7;
const PARTIAL_RUNS = thorough ? 40 : 4;
/** Number of parts of the data from one removed part to the next. */
const REMOVED_STEP = thorough ? 1 : 5;
const MISSING = 'not measured';

/**
 * Function that creates data for an experiment and returns the experiment's findings and the number of parts of the data. `decision`
 * selects parts that are missing or changed.
 */
type Find = (decision: Decision) => { readonly found: Findings; readonly parts: number };

type Name = keyof typeof ALL;

/** Functions that create data for each experiment, with the type that the experiment measures. */
const DATA: { readonly [One in Name]: (synthesis: Synthesis) => Awaited<ReturnType<(typeof ALL)[One]['measure']>> } = {
  ...STUDY_DATA,
  http: service.httpData,
  'batch-size': service.batchSizeData,
  replicas: service.replicasData,
  cancellation: service.cancellationData,
  fairness: service.fairnessData,
  memory: service.memoryData,
  tracing: service.tracingData,
  'real-server': service.realServerData,
};

const FINDERS = (Object.keys(ALL) as Name[]).map((name): readonly [name: string, find: Find] => [
  name,
  (decision) => {
    const synthesis = new Synthesis(SEED, decision);
    const experiment: Experiment<unknown> = ALL[name];
    const data = DATA[name](synthesis);
    return { found: conclude(experiment, data), parts: synthesis.parts };
  },
]);

/** Returns all texts of findings that a reader can see. If `drawn` is true, the drawn charts are included. */
function textsOf({ finding, charts = [], tables = [], claims = [], gates = [], notes = [] }: Findings, drawn = false): string {
  return [
    JSON.stringify({ finding, charts, tables, claims, gates, notes }),
    ...charts.map((chart) => JSON.stringify(chartData(chart))),
    ...(drawn ? charts.map((chart) => draw(chart, 'wide', { labelledBy: 'a', describedBy: 'b' })) : []),
  ].join('\n');
}

/** Returns all statements in words, without the figures that are drawn in charts. */
function sentencesOf({ finding, charts = [], tables = [], claims = [], gates = [] }: Findings): string {
  return JSON.stringify([
    finding,
    charts.map(({ title }) => title),
    tables.map(({ rows }) => rows),
    claims.map(({ found }) => found),
    gates,
  ]);
}

/** Checks findings: no invalid numbers, no data that violates the result's schema, and no conclusion without figures. */
function expectSound(name: string, found: Findings, drawn: boolean): void {
  expect(textsOf(found, drawn)).not.toMatch(/NaN|Infinity|undefined|\bnull[,\]}]/);
  const { finding, charts = [], tables = [], claims = [], gates = [], cells = [], notes = [] } = found;
  const noise = { samplesMs: [1], share: 0, verdict: 'quiet', load: 0 };
  const result = {
    name,
    question: '?',
    finding,
    status: 'partial',
    seconds: 1,
    noise,
    charts,
    tables,
    claims,
    gates,
    cells,
    notes,
  };
  expect(experimentSchema.safeParse(result).error).toBeUndefined();
  for (const { actual, verdict } of gates) expect([actual, verdict === MISSING]).toEqual([actual, actual === MISSING]);
  for (const { found: seen, verdict } of claims) expect([seen, verdict === MISSING]).toEqual([seen, seen === MISSING]);
  for (const cell of cells) expect(cell.samples.length > 0 && cell.value !== null).toBe(true);
}

/** Returns the spellings in which a cell's figure may occur in texts. */
function figuresOf({ value, unit }: ReportCell): string[] {
  if (value === null) return [];
  if (unit === 'ms') return [timeText(value)];
  if (unit === 'ns') return [timeText(value / 1e6)];
  return unit === 'bytes' ? [bytesText(value), `${Math.round(value / 2 ** 20)} MB`] : [countText(value)];
}

const mentions = (text: string, figure: string): boolean =>
  new RegExp(String.raw`(?<![\d.,])${figure.replaceAll('.', String.raw`\.`)}(?![\d.,]*\d)`).test(text);

it('the data of this test covers every experiment by name', () => {
  expect(Object.keys(DATA)).toEqual(Object.values(ALL).map(({ name }) => name));
});

describe.each(FINDERS)('the findings of %s', (name, find) => {
  it('are complete if nothing is missing', () => {
    const { found } = find(nothingMissing);
    expectSound(name, found, true);
    expect(sentencesOf(found)).not.toContain(MISSING);
    expect(found.finding).not.toContain('Nothing was measured');
    expect(found.gates?.filter(({ verdict }) => verdict !== 'holds') ?? []).toEqual([]);
  });

  it('draw no conclusions if all data is missing', () => {
    const { found } = find(allMissing);
    expectSound(name, found, true);
    expect(found.finding).toMatch(/not measured|nothing was measured/i);
    expect([...(found.gates ?? []), ...(found.claims ?? [])].filter(({ verdict }) => verdict !== MISSING)).toEqual([]);
    expect(found.charts).toEqual([]);
    expect(found.cells ?? []).toEqual([]);
  });

  it('contain only valid numbers, whatever data is missing', () => {
    for (let seed = 0; seed < PARTIAL_RUNS; seed++) expectSound(name, find(someMissing(seed, seed % 2 === 0)).found, seed < 6);
  });

  it('do not replace missing data with 0', () => {
    for (let seed = 0; seed < PARTIAL_RUNS; seed++)
      expect(sentencesOf(find(someMissing(seed, false)).found)).not.toMatch(
        /(?<![\d.,])0 (?:ms|ns|B|MB|MiB|objects\/s|requests\/s|rules take)(?![\w])|(?<![\d.,])0×/,
      );
  });

  it('do not mention a cell without data', () => {
    const { found: whole, parts } = find(nothingMissing);
    const all = new Map((whole.cells ?? []).map((cell) => [cell.id, cell]));
    let removed = 0;
    for (let part = 0; part < parts; part += REMOVED_STEP) {
      const { found } = find((one) => (one === part ? 'removed' : 'kept'));
      const left = new Set((found.cells ?? []).map(({ id }) => id));
      const text = textsOf(found);
      for (const [id, cell] of all) {
        if (left.has(id)) continue;
        removed += 1;
        for (const figure of figuresOf(cell)) expect([part, id, figure, mentions(text, figure)]).toEqual([part, id, figure, false]);
      }
    }
    // If all points are in a single cell, removing one point leaves the cell.
    expect(removed > 0 || all.size <= 1).toBe(true);
  });
});
