import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import type { Lab } from '../lab.ts';
import { timeText } from '../measure/figures.ts';
import { percentile } from '../measure/percentile.ts';
import type { ReportCell } from '../result/summary.ts';
import { LONGEST_LIST, pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment } from './experiment.ts';

const FLOWS = ['big', 'small', 'a', 'b'] as const;
type FlowName = (typeof FLOWS)[number];
const SAMPLES = { quick: 25, full: 200 } as const;
/** Two backlogged flows are watched for so long, ms. */
const WATCH_MS = { quick: 1000, full: 5000 } as const;
/** A single object is sent this often, ms. */
const PERIOD_MS = 70;
/** Objects of the backlogged flows, enough for the longest watch, and the length of their lists. */
const CHEAP = { objects: 80_000, list: 150 } as const;
const DEAR = { objects: 40_000, list: LONGEST_LIST } as const;

/** Does anybody's batch keep others waiting? */
export const fairness: Experiment = {
  name: 'fairness',
  question: "How long does one flow's single object wait under another's batch of 100,000, and do two backlogged flows get equal shares?",
  async run(lab) {
    const variables = { ASSAY_KEYS_FILE: keysFile() };
    const seen: Seen[] = [];
    for await (const mode of lab.each(['embedded', 'Redis'] as const)) {
      const service = mode === 'embedded' ? await startService(variables) : await startFleet(variables);
      if (!service) {
        lab.say('redis-server is not on PATH: Redis is left out');
        continue;
      }
      try {
        seen.push(await observe(mode, new FlowLoad(service), lab));
      } finally {
        await service.stop();
      }
    }
    const refused = seen.flatMap(({ failures }) => failures);
    return {
      finding: seen.map(sentence).join('; '),
      tables: [
        {
          title: 'Single objects, and the seats of two backlogged flows',
          columns: ['queue', 'load', 'p50', 'p90', 'longest', 'seat time a : b'],
          rows: seen.flatMap(rowsOf),
          notes: [
            `One object every ${PERIOD_MS} ms, a request each (an open load), from request to answer. Seat time: milliseconds on threads, as the evaluations' summaries say.`,
          ],
        },
      ],
      gates: [
        {
          name: 'nothing refused or lost',
          measure: 'verdicts',
          expected: 'all accepted',
          actual: refused.length === 0 ? 'all accepted' : refused.slice(0, 3).join('; '),
          holds: refused.length === 0,
        },
      ],
      cells: seen.flatMap(cellsOf),
    };
  },
};

/** What one kind of queue showed. Times in ms. */
interface Seen {
  readonly mode: string;
  readonly alone: readonly number[];
  readonly under: readonly number[];
  /** How far the batch was when the last single object was answered. */
  readonly batch: string;
  readonly shares: Share;
  readonly surprised: Share;
  readonly failures: readonly string[];
}

/** What two flows got of the seats, ms. */
interface Share {
  readonly a: number;
  readonly b: number;
  /** Both still had work at the end: else the figures say nothing. */
  readonly backlogged: boolean;
}

async function observe(mode: string, load: FlowLoad, lab: Lab): Promise<Seen> {
  await load.warmUp();
  lab.say(`${mode}: single objects alone`);
  const alone = await load.singles(lab.of(SAMPLES));
  lab.say(`${mode}: single objects under a batch of 100,000`);
  const path = await load.start('big', pricedBatch('Big', 100_000, 130));
  const under = await load.singles(lab.of(SAMPLES));
  const { state, chunks } = await load.state('big', path);
  await load.stop('big', path);
  lab.say(`${mode}: two backlogged flows`);
  const shares = await load.shares('Dear', lab.of(WATCH_MS));
  lab.say(`${mode}: two backlogged flows, one far dearer than its definition was known to be`);
  await load.ask('b', pricedBatch('Surprise', 3000, 1));
  const surprised = await load.shares('Surprise', lab.of(WATCH_MS));
  return { mode, alone, under, batch: `${state}, ${chunks.done} of ${chunks.total} chunks`, shares, surprised, failures: load.failures };
}

function rowsOf({ mode, alone, under, batch, shares, surprised }: Seen): string[][] {
  const latency = (samples: readonly number[]): string[] => [50, 90, 100].map((p) => timeText(percentile(samples, p)));
  return [
    [mode, 'alone', ...latency(alone), ''],
    [mode, `under 100,000 objects (${batch})`, ...latency(under), ''],
    [mode, 'two backlogged flows', '', '', '', shareText(shares)],
    [mode, 'the same, one with wrong guesses', '', '', '', shareText(surprised)],
  ];
}

const shareText = ({ a, b, backlogged }: Share): string =>
  backlogged ? `${timeText(a)} : ${timeText(b)} = ${(a / b).toFixed(2)}` : 'one was over too soon';

function sentence({ mode, alone, under, shares, surprised }: Seen): string {
  const waits = `${timeText(percentile(under, 50))} under the batch, ${timeText(percentile(alone, 50))} alone`;
  return `${mode}: a single object takes ${waits}; two flows share ${shareText(shares)}, with wrong guesses ${shareText(surprised)}`;
}

function cellsOf({ mode, alone, under }: Seen): ReportCell[] {
  return (
    [
      ['alone', alone],
      ['under', under],
    ] as const
  ).map(([load, samples]) => ({
    id: `${mode}/${load}`,
    unit: 'ms',
    samples: [...samples],
    statistic: 'median',
    value: percentile(samples, 50),
  }));
}

interface State {
  readonly state: string;
  readonly chunks: { readonly done: number; readonly total: number };
  readonly summary: { readonly phases: { readonly total?: number }; readonly rejected: number };
}

/** The flows of the experiment against one service. */
class FlowLoad {
  readonly #service: Service;
  /** What was not as it should be. */
  readonly failures: string[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  /** Every definition is judged and compiled before anything is measured. */
  async warmUp(): Promise<void> {
    for (const kind of ['Small', 'Big', 'Cheap', 'Dear']) for (let i = 0; i < 20; i++) await this.ask('small', pricedBatch(kind, 1, 10));
  }

  /** Latencies of single objects, ms. */
  async singles(samples: number): Promise<number[]> {
    const body = pricedBatch('Small', 1, 10);
    const times: number[] = [];
    for (let i = 0; i < samples; i++) {
      const started = performance.now();
      await this.ask('small', body);
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, PERIOD_MS - (performance.now() - started))));
    }
    return times;
  }

  /** What two flows got of the seats while both had work waiting. `kind`: of the dear flow's objects. */
  async shares(kind: string, watchMs: number): Promise<Share> {
    const a = await this.start('a', pricedBatch('Cheap', CHEAP.objects, CHEAP.list));
    const b = await this.start('b', pricedBatch(kind, DEAR.objects, DEAR.list));
    const before = [await this.#spent('a', a), await this.#spent('b', b)] as const;
    await new Promise((resolve) => setTimeout(resolve, watchMs));
    const [stateA, stateB] = [await this.state('a', a), await this.state('b', b)];
    const [spentA, spentB] = [(stateA.summary.phases.total ?? 0) - before[0], (stateB.summary.phases.total ?? 0) - before[1]];
    if (stateA.summary.rejected + stateB.summary.rejected > 0) this.failures.push('an object was refused');
    await this.stop('a', a);
    await this.stop('b', b);
    return { a: spentA, b: spentB, backlogged: stateA.state === 'running' && stateB.state === 'running' };
  }

  async #spent(flow: FlowName, location: string): Promise<number> {
    return (await this.state(flow, location)).summary.phases.total ?? 0;
  }

  /** An evaluation in the background; its path. */
  async start(flow: FlowName, body: string): Promise<string> {
    const response = await this.#fetch(flow, '/evaluate?wait=0', body);
    if (response.status !== 202) this.failures.push(`${flow}: ${response.status} ${await response.text()}`);
    return response.headers.get('location') ?? '';
  }

  async ask(flow: FlowName, body: string): Promise<void> {
    const response = await this.#fetch(flow, '/evaluate', body);
    const { summary } = (await response.json()) as { readonly summary?: { readonly items: number; readonly accepted: number } };
    if (!summary || summary.items !== summary.accepted) this.failures.push(`${flow}: ${response.status}, not all objects were accepted`);
  }

  async state(flow: FlowName, location: string): Promise<State> {
    return (await (await fetch(`${this.#service.url}${location}`, { headers: { 'x-api-key': flow } })).json()) as State;
  }

  async stop(flow: FlowName, location: string): Promise<void> {
    await fetch(`${this.#service.url}${location}`, { method: 'DELETE', headers: { 'x-api-key': flow } });
  }

  #fetch(flow: FlowName, path: string, body: string): Promise<Response> {
    return fetch(`${this.#service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': flow },
      body,
    });
  }
}

/** A keys file in which each flow has a key of its own name. */
function keysFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-fairness-')), 'keys.json');
  const keys = FLOWS.map((name) => ({ name, sha256: createHash('sha256').update(name).digest('hex') }));
  writeFileSync(file, JSON.stringify(keys));
  return file;
}
