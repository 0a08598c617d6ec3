import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { customDefinition } from '../../../testing/custom-definition.ts';
import type { CanarySettings, Late, CanaryFindings } from './canary.ts';
import { childrenOf } from '../measure/process-cpu.ts';
import { waitsForCores } from './held.ts';

const INTERVAL_MS = 100;
/**
 * Delay in ms, caused by the machine itself, up to which a 503 answer counts as a fault. If the machine causes a longer delay, the service
 * may answer 503 to shed work, and the canary reports no fault. The canary is the client that watches the service during attacks.
 */
const SHEDDING_MS = 250;
/** Time in ms after which the canary (the client that watches the service during attacks) stops waiting for an answer. */
const PATIENCE_MS = 30_000;
const { servicePort, controlPort, credentials, processIds } = workerData as CanarySettings;
const agent = new Agent({ keepAlive: true, maxFreeSockets: 4 });

const DEFINITION = customDefinition({
  group: 'canary.assay.example.com',
  kind: 'Canary',
  schema: {
    type: 'object',
    properties: { weight: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'a canary has a weight' }] } },
  },
});
const canary = (name: string, weight: unknown): object => ({
  apiVersion: 'canary.assay.example.com/v1',
  kind: 'Canary',
  metadata: { name, namespace: 'default' },
  weight,
});
const BATCH = JSON.stringify({ definitions: [DEFINITION], objects: [canary('right', 20), canary('light', 0), canary('wrong', 'heavy')] });
const OUTCOMES = 'accepted,rejected 422,rejected 422';

interface Timed {
  readonly ms: number;
  readonly code: number;
  readonly body: string;
}

function timed(port: number, path: string, body?: string): Promise<Timed> {
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (code: number, text: string): void => resolve({ ms: performance.now() - started, code, body: text });
    const headers = body === undefined ? credentials : { ...credentials, 'content-type': 'application/json' };
    const clientRequest = request({ host: '127.0.0.1', port, path, agent, method: body === undefined ? 'GET' : 'POST', headers });
    clientRequest.setTimeout(PATIENCE_MS, () => clientRequest.destroy(new Error('no answer in time')));
    clientRequest.on('error', (error) => end(0, error.message));
    clientRequest.on('response', (response) => {
      let text = '';
      response.on('data', (block: Buffer) => (text += block.toString())).once('end', () => end(response.statusCode ?? 0, text));
    });
    clientRequest.end(body);
  });
}

/**
 * Returns the outcomes of the objects in the canary's evaluation as one text, separated by commas, each with its status code if it has one.
 * For an answer other than 200, returns the code and the beginning of the body.
 */
function outcomesIn({ code, body }: Timed): string {
  if (code !== 200) return `${code} ${body.slice(0, 200)}`;
  const { items } = JSON.parse(body) as {
    readonly items: readonly { readonly outcome: string; readonly status?: { readonly code: number } }[];
  };
  return items.map(({ outcome, status }) => (status === undefined ? outcome : `${outcome} ${status.code}`)).join(',');
}

/**
 * Returns the times in ms that threads of the service have waited for a core so far. `serving` is the time of the thread that serves HTTP,
 * and `all` contains the times of all threads of the service by thread id.
 */
function waits(): { readonly serving: number; readonly all: ReadonlyMap<string, number> } {
  const all = new Map(processIds.flatMap((id) => [id, ...childrenOf(id)]).flatMap((id) => [...waitsForCores(id)]));
  return { serving: all.get(String(processIds[0])) ?? 0, all };
}

const NEVER: Late = { ms: 0, took: 0, at: 0 };
const nothing = () => ({ livez: NEVER, evaluation: NEVER, controlMs: 0, wrong: [] as string[] });
let seen = nothing() satisfies CanaryFindings;
const later = (a: Late, b: Late): Late => (b.ms > a.ms ? b : a);

const open = new Set<Promise<void>>();

/**
 * Probes (small requests) that were sent to the control server, a process that only answers, so that its delay is the machine's. `sentAt`
 * is the time of sending, and `late` is the time until the answer, both in ms.
 */
const controls: { readonly sentAt: number; readonly late: Promise<number> }[] = [];
const KEPT_CONTROLS = PATIENCE_MS / INTERVAL_MS;

function probeControl(): void {
  controls.push({ sentAt: performance.now(), late: timed(controlPort, '/').then(({ ms }) => ms) });
  if (controls.length > KEPT_CONTROLS) controls.shift();
}

/**
 * Returns the longest time in ms until the control server answered a probe (a small request) that was sent since `since`. Returns 0 if
 * there was no probe. This time is the delay that the machine causes, because the control server does nothing but answer.
 */
async function machineLate(since: number): Promise<number> {
  const until = performance.now();
  const late = await Promise.all(controls.filter(({ sentAt }) => sentAt >= since && sentAt <= until).map(({ late }) => late));
  return Math.max(0, ...late);
}

async function probe(): Promise<void> {
  const sentAt = performance.now();
  const at = Date.now();
  const before = waits();
  probeControl();
  const evaluation = timed(servicePort, '/evaluate', BATCH);
  const livez = await timed(servicePort, '/livez');
  const servingWait = waits().serving - before.serving;
  const controlMs = await machineLate(sentAt);
  seen.controlMs = Math.max(seen.controlMs, controlMs);
  seen.livez = later(seen.livez, { ms: livez.ms - Math.max(controlMs, servingWait), took: livez.ms, at });
  if (livez.code !== 200) seen.wrong.push(`/livez: ${livez.code} ${livez.body}`);
  const answered = await evaluation;
  const longestWait = Math.max(0, ...[...waits().all].map(([id, wait]) => wait - (before.all.get(id) ?? 0)));
  const machineMs = Math.max(await machineLate(sentAt), longestWait);
  seen.evaluation = later(seen.evaluation, { ms: answered.ms - machineMs, took: answered.ms, at });
  const outcomes = outcomesIn(answered);
  // If the machine delays all processes, it delays the event loop of the service, too. Then the service correctly refuses work.
  const isShed = answered.code === 503 && machineMs > SHEDDING_MS;
  if (outcomes !== OUTCOMES && !isShed) seen.wrong.push(`canary: ${outcomes}`);
}

const timer = setInterval(() => {
  const one = probe().finally(() => open.delete(one));
  open.add(one);
}, INTERVAL_MS);

async function report(): Promise<void> {
  await Promise.all(open);
  parentPort?.postMessage(seen);
  seen = nothing();
}

parentPort?.on('message', () => void report());
parentPort?.once('close', () => clearInterval(timer));
