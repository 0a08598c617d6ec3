import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { percentile } from '../measure/percentile.ts';
import { LONGEST_LIST, pricedBatch } from '../workloads/priced-objects.ts';
import type { Experiment } from './experiment.ts';

const FLOWS = ['big', 'small', 'a', 'b'] as const;
type FlowName = (typeof FLOWS)[number];
const SAMPLES = { quick: 40, full: 200 } as const;
/** Two backlogged flows are watched for so long, ms. */
const WATCH_MS = { quick: 2500, full: 5000 } as const;
/** A single object is sent this often, ms. */
const PERIOD_MS = 70;
/** Objects of the backlogged flows, enough for the longest watch, and the length of their lists. */
const CHEAP = { objects: 80_000, list: 150 } as const;
const DEAR = { objects: 40_000, list: LONGEST_LIST } as const;

/** Does anybody's batch keep others waiting? */
export const fairness: Experiment = {
  name: 'fairness',
  question: "How long does one flow's single object wait under another's batch of 100,000, and do two backlogged flows get equal shares?",
  async run(thoroughness, say) {
    const variables = { ASSAY_KEYS_FILE: keysFile(), ASSAY_METRICS_OPEN: 'true' };
    const rows: string[][] = [];
    const failedGates: string[] = [];
    for (const mode of ['embedded', 'Redis'] as const) {
      const service = mode === 'embedded' ? await startService(variables) : await startFleet(variables);
      if (!service) {
        failedGates.push('Redis: redis-server is not on PATH');
        continue;
      }
      try {
        const lab = new FairnessLab(service, failedGates);
        await lab.warmUp();
        say(`${mode}: single objects alone`);
        rows.push([mode, 'alone', ...latency(await lab.singles(SAMPLES[thoroughness])), '']);
        say(`${mode}: single objects under a batch of 100,000`);
        const batch = await lab.start('big', pricedBatch('Big', 100_000, 130));
        const under = await lab.singles(SAMPLES[thoroughness]);
        const progress = await lab.state('big', batch);
        const left = progress.state === 'running' ? '' : ', which was over too soon';
        rows.push([
          mode,
          `under 100,000 objects${left}`,
          ...latency(under),
          `batch got on: ${progress.chunks.done} of ${progress.chunks.total} chunks`,
        ]);
        await lab.stop('big', batch);
        say(`${mode}: two backlogged flows`);
        rows.push([mode, 'two backlogged flows', '', '', await lab.shares('Dear', WATCH_MS[thoroughness])]);
        say(`${mode}: two backlogged flows, one a hundred times dearer than its definition was known to be`);
        await lab.ask('b', pricedBatch('Surprise', 3000, 1));
        rows.push([mode, 'the same, one with wrong guesses', '', '', await lab.shares('Surprise', WATCH_MS[thoroughness])]);
      } finally {
        await service.stop();
      }
    }
    return {
      columns: ['queue', 'load', 'p50 ms', 'p99 ms', 'seat time'],
      rows,
      failedGates,
      notes: [
        `One object every ${PERIOD_MS} ms, a request each, from request to answer. Seat time: milliseconds on threads, as the evaluations' summaries say.`,
      ],
    };
  },
};

interface State {
  readonly state: string;
  readonly chunks: { readonly done: number; readonly total: number };
  readonly summary: { readonly phases: { readonly total?: number }; readonly rejected: number };
}

class FairnessLab {
  readonly #service: Service;
  readonly #failures: string[];

  constructor(service: Service, failures: string[]) {
    this.#service = service;
    this.#failures = failures;
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
  async shares(kind: string, watchMs: number): Promise<string> {
    const a = await this.start('a', pricedBatch('Cheap', CHEAP.objects, CHEAP.list));
    const b = await this.start('b', pricedBatch(kind, DEAR.objects, DEAR.list));
    const before = [await this.#spent('a', a), await this.#spent('b', b)] as const;
    await new Promise((resolve) => setTimeout(resolve, watchMs));
    const [stateA, stateB] = [await this.state('a', a), await this.state('b', b)];
    const [spentA, spentB] = [(stateA.summary.phases.total ?? 0) - before[0], (stateB.summary.phases.total ?? 0) - before[1]];
    if (stateA.summary.rejected + stateB.summary.rejected > 0) this.#failures.push('an object was refused');
    await this.stop('a', a);
    await this.stop('b', b);
    const over = stateA.state === 'running' && stateB.state === 'running' ? '' : ' (one was over too soon)';
    return `${spentA.toFixed(0)} : ${spentB.toFixed(0)} ms = ${(spentA / spentB).toFixed(2)}${over}`;
  }

  async #spent(flow: FlowName, location: string): Promise<number> {
    return (await this.state(flow, location)).summary.phases.total ?? 0;
  }

  /** An evaluation in the background; its path. */
  async start(flow: FlowName, body: string): Promise<string> {
    const response = await this.#fetch(flow, '/evaluate?wait=0', body);
    if (response.status !== 202) this.#failures.push(`${flow}: ${response.status} ${await response.text()}`);
    return response.headers.get('location') ?? '';
  }

  async ask(flow: FlowName, body: string): Promise<void> {
    const response = await this.#fetch(flow, '/evaluate', body);
    const { summary } = (await response.json()) as { readonly summary?: { readonly items: number; readonly accepted: number } };
    if (!summary || summary.items !== summary.accepted) this.#failures.push(`${flow}: ${response.status}, not all objects were accepted`);
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

const latency = (samples: readonly number[]): [string, string] => [percentile(samples, 50).toFixed(1), percentile(samples, 99).toFixed(1)];

/** A keys file in which each flow has a key of its own name. */
function keysFile(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-fairness-')), 'keys.json');
  const keys = FLOWS.map((name) => ({ name, sha256: createHash('sha256').update(name).digest('hex') }));
  writeFileSync(file, JSON.stringify(keys));
  return file;
}
