import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOT_MEASURED, timeText } from '#numbers';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import type { Lab } from '../lab.ts';
import { percentile } from '#benchmark';
import { quotient } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { sentence } from '../result/sentence.ts';
import { casesOf, numberOf, timeCells } from '../study/study-report.ts';
import type { CaseFigures, MeasuredFigures } from '../study/study.ts';
import { MAX_LIST_LENGTH, pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment, Findings } from './experiment.ts';

const FLOWS = ['big', 'small', 'a', 'b'] as const;
type FlowName = (typeof FLOWS)[number];
/** Ways of running the service. The two nodes have two threads in total. */
export const MODES = ['embedded', 'one node over Redis', 'two nodes over Redis'] as const;
const SAMPLES = { quick: 25, full: 500 } as const;
/**
 * Time in ms for which two flows (the queues of two clients) with waiting work are observed. Each flow needs enough work for this time. The
 * thread time of a flow grows only when a part of its evaluation is stored, and a part can take a second.
 */
const WATCH_MS = { quick: 1000, full: 5000 } as const;
/** Number of single objects that are sent between two checks of the batch. */
const BETWEEN_LOOKS = 10;
/** Interval in ms at which single objects are sent. */
const PERIOD_MS = 70;
/**
 * Number of objects in the batch and in the flows with waiting work, and the length of the objects' lists. The work suffices for the
 * longest observation.
 */
const BIG = { objects: 100_000, list: 130 } as const;
const CHEAP = { objects: 80_000, list: 150 } as const;
const DEAR = { objects: 40_000, list: MAX_LIST_LENGTH } as const;

/** Value of the fact `wrong` if all answers under a load were as expected. */
export const NOTHING_WRONG = 'nothing wrong';

/**
 * Loads that clients put on the service. A line of figures combines a way of running the service with one of these loads. The size of a
 * case is the number of objects that wait in other flows (queues of clients).
 */
export const [ALONE, UNDER, SHARES, SURPRISED] = [
  'single objects alone',
  'single objects under a batch of 100,000',
  'two backlogged flows',
  'two backlogged flows, one with objects that take much longer than expected',
] as const;
/** Returns the name of the line of figures for a load under one way of running the service (`mode`). */
export const lineOf = (mode: string, load: string): string => `${mode}: ${load}`;

/** Experiment that answers whether a batch of one client makes other clients wait. */
export const fairness: Experiment<readonly CaseFigures[]> = {
  name: 'fairness',
  question:
    'How long does a single object of one client wait while a batch of 100,000 objects of another client runs, and do two clients with waiting work get equal shares?',
  async measure(lab) {
    const variables = { ASSAY_KEYS_FILE: keysFile() };
    const cases: CaseFigures[] = [];
    for await (const mode of lab.each(MODES)) {
      const service = await start(mode, variables);
      if (!service) {
        cases.push({ line: lineOf(mode, ALONE), size: 0, times: {}, facts: { why: 'redis-server is not on the path' } });
        continue;
      }
      try {
        cases.push(...(await observe(mode, new FlowLoad(service, lab), lab)));
      } finally {
        await service.stop();
      }
    }
    return cases;
  },
  findings,
};

function start(mode: (typeof MODES)[number], variables: Readonly<Record<string, string>>): Promise<Service | undefined> {
  if (mode === 'embedded') return startService(variables);
  return startFleet(variables, mode === 'two nodes over Redis' ? { nodes: 2, threads: 1 } : {});
}

/**
 * Measures one way of running the service (`mode`). Each case states which answers were wrong during its measurement, or {@link
 * NOTHING_WRONG}.
 */
async function observe(mode: string, load: FlowLoad, lab: Lab): Promise<CaseFigures[]> {
  await load.warmUp();
  const measured = async (what: string, size: number, measure: () => Promise<MeasuredFigures>): Promise<CaseFigures> => {
    lab.say(lineOf(mode, what));
    const { times = {}, facts } = await measure();
    return { line: lineOf(mode, what), size, times, facts: { ...facts, wrong: load.wrong() } };
  };
  const cases = [
    await measured(ALONE, 0, async () => ({ times: { answer: await load.singles(lab.of(SAMPLES)) } })),
    await measured(UNDER, BIG.objects, () => load.singlesUnder(pricedBatch('Big', BIG.objects, BIG.list), lab.of(SAMPLES))),
  ];
  if (lab.signal.aborted) return cases;
  cases.push(await measured(SHARES, CHEAP.objects + DEAR.objects, () => load.shares('Dear', lab.of(WATCH_MS))));
  await load.ask('b', pricedBatch('Surprise', 3000, 1));
  return [...cases, await measured(SURPRISED, CHEAP.objects + DEAR.objects, () => load.shares('Surprise', lab.of(WATCH_MS)))];
}

function findings(cases: readonly CaseFigures[]): Findings {
  const wrong = cases.flatMap(({ facts }) => facts['wrong'] ?? []);
  return {
    finding: sentence(MODES.map((mode) => modeText(mode, cases))),
    tables: [
      {
        title: 'Latency of single objects, and shares of two flows that both have waiting work',
        columns: [
          'service and load',
          '50 % of the single objects are answered within',
          '99 % of the single objects are answered within',
          'longest latency of a single object',
          'thread time of flow a : thread time of flow b',
          'state of the batch at the end of the measurement',
        ],
        rows: cases.map((one) => [
          one.line,
          ...(one.times['answer'] ? [50, 99, 100].map((p) => latencyOf(one, p)) : ['', '', '']),
          one.line.includes(SHARES) ? shareText(one) : '',
          String(one.facts['batch'] ?? ''),
        ]),
        notes: [
          `*Embedded* means a service without Redis. In the rows of single objects, a client sends one object every ${PERIOD_MS} ms, in a separate request (an open load). A *flow* is one client's share of the service, and a *backlogged* flow has work that waits. *Thread time* is the time for which a flow used engine threads, as the summaries of its evaluations say. A ratio near 1 means equal shares.`,
        ],
      },
    ],
    gates: [
      equalGate(
        'nothing refused or lost',
        'verdicts',
        NOTHING_WRONG,
        wrong.length === 0 ? undefined : [...new Set(wrong.filter((one) => one !== NOTHING_WRONG))].slice(0, 3).join('; ') || NOTHING_WRONG,
      ),
    ],
    cells: timeCells(cases),
    notes: cases.flatMap(({ line, facts: { why } }) => (why === undefined ? [] : [`${line}: ${NOT_MEASURED}, ${why}.`])),
  };
}

const latencyOf = (one: CaseFigures | undefined, p: number): string => timeText(percentile(one?.times['answer'] ?? [], p));

function shareText(one: CaseFigures | undefined): string {
  const [a, b] = ['a', 'b'].map((flow) => one && numberOf(one, flow));
  if (a === undefined || b === undefined) return NOT_MEASURED;
  if (one?.facts['backlogged'] !== 'both') return `${NOT_MEASURED}, since the work of one flow ended too soon`;
  if (a === 0 || b === 0) return `${NOT_MEASURED}, since a flow stored no part within the measurement`;
  const ratio = quotient(a, b);
  return `${timeText(a)} : ${timeText(b)}${ratio === undefined ? '' : ` = ${ratio.toFixed(2)}`}`;
}

function modeText(mode: string, cases: readonly CaseFigures[]): string {
  const [alone, under, shares, surprised] = [ALONE, UNDER, SHARES, SURPRISED].map((load) => casesOf(cases, lineOf(mode, load))[0]);
  if ([alone, under, shares, surprised].every((one) => one === undefined)) return `${mode}: ${NOT_MEASURED}`;
  const times = (one: CaseFigures | undefined): string => [50, 99].map((p) => latencyOf(one, p)).join(' and ');
  const waits = `under the batch ${times(under)}, alone ${times(alone)}`;
  return `${mode}: time of a single object (median and 99th percentile): ${waits}; thread time of two flows: ${shareText(shares)}, and if objects take longer than expected: ${shareText(surprised)}`;
}

interface State {
  readonly state: string;
  readonly chunks: { readonly done: number; readonly total: number };
  readonly summary: { readonly phases: { readonly total?: number }; readonly rejected: number };
}

/** Clients of the experiment that send work to one service. Each client has its own flow. */
class FlowLoad {
  readonly #service: Service;
  readonly #lab: Lab;
  /** Descriptions of answers that were not as expected. */
  #failures: string[] = [];

  constructor(service: Service, lab: Lab) {
    this.#service = service;
    this.#lab = lab;
  }

  /** Returns a description of at most three unexpected answers since the last call. Returns {@link NOTHING_WRONG} if there were none. */
  wrong(): string {
    const failures = this.#failures.splice(0);
    return failures.length === 0 ? NOTHING_WRONG : failures.slice(0, 3).join('; ');
  }

  /** Makes the service validate and compile every definition before the measurement. */
  async warmUp(): Promise<void> {
    for (const kind of ['Small', 'Big', 'Cheap', 'Dear']) for (let i = 0; i < 20; i++) await this.ask('small', pricedBatch(kind, 1, 10));
  }

  /** Returns the latencies of single objects in ms. There are fewer than `samples` if the run was stopped. */
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

  /**
   * Returns the latencies in ms of single objects while a batch of another flow is evaluated, and the progress of that batch. A batch that
   * ends is sent again.
   */
  async singlesUnder(batch: string, samples: number): Promise<MeasuredFigures> {
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
      await this.#call('big', 'DELETE', path);
    }
    return { times: { answer: under }, facts: { batch: progress } };
  }

  /** Returns the thread time that two flows use while both flows have waiting work. `kind` is the kind of objects in the expensive flow. */
  async shares(kind: string, watchMs: number): Promise<MeasuredFigures> {
    const a = await this.start('a', pricedBatch('Cheap', CHEAP.objects, CHEAP.list));
    const b = await this.start('b', pricedBatch(kind, DEAR.objects, DEAR.list));
    const before = [await this.#spent('a', a), await this.#spent('b', b)] as const;
    await new Promise((resolve) => setTimeout(resolve, watchMs));
    const [stateA, stateB] = [await this.state('a', a), await this.state('b', b)];
    const [spentA, spentB] = [(stateA.summary.phases.total ?? 0) - before[0], (stateB.summary.phases.total ?? 0) - before[1]];
    if (stateA.summary.rejected + stateB.summary.rejected > 0) this.#failures.push('an object was refused');
    await this.#call('a', 'DELETE', a);
    await this.#call('b', 'DELETE', b);
    const isBacklogged = stateA.state === 'running' && stateB.state === 'running';
    return { facts: { a: spentA, b: spentB, backlogged: isBacklogged ? 'both' : 'one' } };
  }

  async #spent(flow: FlowName, location: string): Promise<number> {
    return (await this.state(flow, location)).summary.phases.total ?? 0;
  }

  /** Starts an asynchronous evaluation and returns its path. */
  async start(flow: FlowName, body: string): Promise<string> {
    const response = await this.#call(flow, 'POST', '/evaluate?wait=0', body);
    if (response.status !== 202) this.#failures.push(`${flow}: ${response.status} ${await response.text()}`);
    return response.headers.get('location') ?? '';
  }

  async ask(flow: FlowName, body: string): Promise<void> {
    const response = await this.#call(flow, 'POST', '/evaluate', body);
    const { summary } = (await response.json()) as { readonly summary?: { readonly items: number; readonly accepted: number } };
    if (!summary || summary.items !== summary.accepted) this.#failures.push(`${flow}: ${response.status}, not all objects were accepted`);
  }

  async state(flow: FlowName, location: string): Promise<State> {
    return (await (await this.#call(flow, 'GET', location)).json()) as State;
  }

  #call(flow: FlowName, method: 'POST' | 'GET' | 'DELETE', path: string, body?: string): Promise<Response> {
    return fetch(`${this.#service.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': flow },
      ...(body !== undefined && { body }),
    });
  }
}

/** Creates a keys file in which each flow has a key with the flow's name. Returns the path of the file. */
function keysFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-fairness-')), 'keys.json');
  const keys = FLOWS.map((name) => ({ name, sha256: createHash('sha256').update(name).digest('hex') }));
  writeFileSync(file, JSON.stringify(keys));
  return file;
}
