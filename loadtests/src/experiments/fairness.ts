import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOT_MEASURED, timeText } from '#charts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import type { Lab } from '../lab.ts';
import { percentile } from '#benchmark';
import { quotient } from '../measure/quotient.ts';
import { gate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { LONGEST_LIST, pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment, Findings } from './experiment.ts';

const FLOWS = ['big', 'small', 'a', 'b'] as const;
type FlowName = (typeof FLOWS)[number];
/** Forms of the service; two nodes have two threads in all. */
const MODES = ['embedded', 'one node over Redis', 'two nodes over Redis'] as const;
const SAMPLES = { quick: 25, full: 500 } as const;
/** Two backlogged flows are watched for so long, ms: their work must last longer. */
const WATCH_MS = 1000;
/** Single objects that are sent between two looks at the batch. */
const BETWEEN_LOOKS = 10;
/** A single object is sent this often, ms. */
const PERIOD_MS = 70;
/** Objects of the backlogged flows, enough for the longest watch, and the length of their lists. */
const CHEAP = { objects: 80_000, list: 150 } as const;
const DEAR = { objects: 40_000, list: LONGEST_LIST } as const;

/** The figures of each form of the service; undefined if it was not measured, with the reason unless the lab just ended. */
export type FairnessData = readonly { readonly mode: string; readonly seen: Seen | undefined; readonly why?: string }[];

/** Does anybody's batch keep others waiting? */
export const fairness: Experiment<FairnessData> = {
  name: 'fairness',
  question: "How long does one flow's single object wait under another's batch of 100,000, and do two backlogged flows get equal shares?",
  async measure(lab) {
    const variables = { ASSAY_KEYS_FILE: keysFile() };
    const data: FairnessData[number][] = MODES.map((mode) => ({ mode, seen: undefined }));
    for await (const [i, mode] of lab.each(MODES.entries())) {
      const service = await start(mode, variables);
      if (!service) {
        data[i] = { mode, seen: undefined, why: 'redis-server is not on the path' };
        continue;
      }
      try {
        data[i] = { mode, seen: await observe(mode, new FlowLoad(service, lab), lab) };
      } finally {
        await service.stop();
      }
    }
    return data;
  },
  findings,
};

function start(mode: (typeof MODES)[number], variables: Readonly<Record<string, string>>): Promise<Service | undefined> {
  if (mode === 'embedded') return startService(variables);
  return startFleet(variables, mode === 'two nodes over Redis' ? { nodes: 2, threads: 1 } : {});
}

/** Figures of one form of the service: times in ms, as many as were measured. */
export interface Seen {
  readonly alone: readonly number[];
  readonly under: readonly number[];
  /** Progress of the batch when the last single object was answered; undefined if none was sent. */
  readonly batch: string | undefined;
  readonly shares: Share | undefined;
  readonly surprised: Share | undefined;
  readonly failures: readonly string[];
}

/** Thread time of two flows, ms. */
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
  const { under, batch } = await load.singlesUnder(pricedBatch('Big', 100_000, 130), lab.of(SAMPLES));
  if (lab.signal.aborted) return { alone, under, batch, shares: undefined, surprised: undefined, failures: load.failures };
  lab.say(`${mode}: two backlogged flows`);
  const shares = await load.shares('Dear', WATCH_MS);
  lab.say(`${mode}: two backlogged flows, one far dearer than its definition was known to be`);
  await load.ask('b', pricedBatch('Surprise', 3000, 1));
  const surprised = await load.shares('Surprise', WATCH_MS);
  return { alone, under, batch, shares, surprised, failures: load.failures };
}

function findings(data: FairnessData): Findings {
  const seen = data.flatMap(({ mode, seen: one }) => (one === undefined ? [] : [{ mode, ...one }]));
  const failures = seen.flatMap((one) => one.failures);
  const asked = seen.some(
    ({ alone, under, shares, surprised }) => alone.length + under.length > 0 || shares !== undefined || surprised !== undefined,
  );
  return {
    finding: sentence(data.map(({ mode, seen: one }) => (one === undefined ? `${mode}: ${NOT_MEASURED}` : modeText(mode, one)))),
    tables: [
      {
        title: 'Single objects, and the thread time of two backlogged flows',
        columns: ['service', 'load', 'p50', 'p99', 'longest', 'thread time a : b'],
        rows: seen.flatMap(({ mode, ...one }) => rowsOf(mode, one)),
        notes: [
          `One object every ${PERIOD_MS} ms, a request each (an open load), from request to answer. Thread time: milliseconds on threads, as the evaluations' summaries say.`,
        ],
      },
    ],
    gates: [
      gate(
        {
          name: 'nothing refused or lost',
          measure: 'verdicts',
          expected: 'all accepted',
          actual: failures.length > 0 ? failures.slice(0, 3).join('; ') : asked ? 'all accepted' : undefined,
        },
        () => failures.length === 0,
      ),
    ],
    cells: seen.flatMap(({ mode, alone, under }) =>
      Object.entries({ alone, under }).flatMap(([load, samples]) => medianCell({ id: `${mode}/${load}`, unit: 'ms', samples })),
    ),
    notes: data.flatMap(({ mode, why }) => (why === undefined ? [] : [`${mode}: ${NOT_MEASURED}, ${why}.`])),
  };
}

function rowsOf(mode: string, { alone, under, batch, shares, surprised }: Seen): string[][] {
  const latency = (samples: readonly number[]): string[] => [50, 99, 100].map((p) => timeText(percentile(samples, p)));
  return [
    [mode, 'alone', ...latency(alone), ''],
    [mode, `under 100,000 objects (${batch ?? NOT_MEASURED})`, ...latency(under), ''],
    [mode, 'two backlogged flows', '', '', '', shareText(shares)],
    [mode, 'the same, one with wrong guesses', '', '', '', shareText(surprised)],
  ];
}

function shareText(share: Share | undefined): string {
  if (share === undefined) return NOT_MEASURED;
  if (!share.backlogged) return `${NOT_MEASURED}, since the work of one flow ended too soon`;
  const ratio = quotient(share.a, share.b);
  return `${timeText(share.a)} : ${timeText(share.b)}${ratio === undefined ? '' : ` = ${ratio.toFixed(2)}`}`;
}

function modeText(mode: string, { alone, under, shares, surprised }: Seen): string {
  const times = (samples: readonly number[]): string => [50, 99].map((p) => timeText(percentile(samples, p))).join(' and ');
  const waits = `under the batch ${times(under)}, alone ${times(alone)}`;
  return `${mode}: time of a single object (p50 and p99): ${waits}; thread time of two flows: ${shareText(shares)}, with wrong guesses: ${shareText(surprised)}`;
}

interface State {
  readonly state: string;
  readonly chunks: { readonly done: number; readonly total: number };
  readonly summary: { readonly phases: { readonly total?: number }; readonly rejected: number };
}

/** The flows of the experiment against one service. */
class FlowLoad {
  readonly #service: Service;
  readonly #lab: Lab;
  /** Answers that were not as they should be. */
  readonly failures: string[] = [];

  constructor(service: Service, lab: Lab) {
    this.#service = service;
    this.#lab = lab;
  }

  /** Every definition is judged and compiled before anything is measured. */
  async warmUp(): Promise<void> {
    for (const kind of ['Small', 'Big', 'Cheap', 'Dear']) for (let i = 0; i < 20; i++) await this.ask('small', pricedBatch(kind, 1, 10));
  }

  /** Latencies of single objects, ms; fewer where the run was stopped. */
  async singles(samples: number): Promise<number[]> {
    const body = pricedBatch('Small', 1, 10);
    const times: number[] = [];
    for (let i = 0; i < samples && !this.#lab.signal.aborted; i++) {
      const started = performance.now();
      await this.ask('small', body);
      times.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, PERIOD_MS - (performance.now() - started))));
    }
    return times;
  }

  /** Returns latencies of single objects while the batch of another flow runs, ms, and the progress of that batch. A batch that ends is sent again. */
  async singlesUnder(batch: string, samples: number): Promise<{ readonly under: number[]; readonly batch: string | undefined }> {
    const under: number[] = [];
    let progress: string | undefined;
    for (let sent = 0; sent < samples && under.length < samples && !this.#lab.signal.aborted; sent++) {
      const path = await this.start('big', batch);
      for (let isRunning = true; isRunning && under.length < samples && !this.#lab.signal.aborted;) {
        const few = await this.singles(Math.min(BETWEEN_LOOKS, samples - under.length));
        const { state, chunks } = await this.state('big', path);
        isRunning = state === 'running';
        if (!isRunning) continue;
        under.push(...few);
        progress = `${state}, ${chunks.done} of ${chunks.total} chunks`;
      }
      await this.stop('big', path);
    }
    return { under, batch: progress };
  }

  /** Returns the thread time of two flows while both have work waiting. `kind`: of the dear flow's objects. */
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
