import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeJson } from '#go';
import { freePort } from '../../../testing/free-port.ts';
import { SHARED } from '../places.ts';
import { SMALL_DEFINITION, smallObjects } from '../workloads/request-bodies.ts';
import { jsonLines } from './run-cell.ts';

/** Throughput and latencies of a live API server to which the small object of the experiments is sent. */
export interface ApiServerFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly connections: number;
}

const PEERS = resolve(SHARED, 'bench-peers');
const NEEDED = ['go', 'etcd', 'openssl', 'curl'] as const;
const CONNECTIONS = 8;
const SECONDS = 10;
const BUILD_MS = 900_000;
/** Time in ms after which a process that has not ended is killed. */
const STOP_MS = 10_000;
/** Time in ms within which the server must serve a created definition, which takes some seconds. */
const SERVED_MS = 20_000;

/**
 * Starts the API server of Kubernetes (apiextensions-apiserver with etcd) and repeatedly creates the small object with dryRun. Returns a
 * text with the reason if the server cannot be measured.
 */
export async function measureApiServer(): Promise<ApiServerFigures | string> {
  if (!existsSync(join(PEERS, 'live.sh'))) return 'shared/bench-peers is not beside the project';
  const missing = NEEDED.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length > 0) return `there is no ${missing.join(', no ')}`;
  const folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  const sources = join(folder, 'bench-peers');
  cpSync(join(PEERS, 'go'), join(sources, 'go'), { recursive: true });
  cpSync(join(PEERS, 'live.sh'), join(sources, 'live.sh'));
  const port = await freePort();
  // The second port of etcd follows the first.
  const env = { ...process.env, API_PORT: String(port), ETCD_PORT: String(await freePort()) };
  const live = (step: string): string | undefined => {
    const { status, stderr, stdout } = spawnSync('sh', [join(sources, 'live.sh'), step, join(folder, 'run')], {
      encoding: 'utf8',
      env,
      timeout: BUILD_MS,
      // Background processes of the script must not keep a pipe open.
      stdio: step === 'start' ? 'ignore' : 'pipe',
    });
    return status === 0 ? undefined : `live.sh ${step} failed${stderr ? `: ${(stderr || stdout).slice(0, 200)}` : ''}`;
  };
  try {
    const unbuilt = live('build');
    if (unbuilt !== undefined) return unbuilt;
    const run = join(folder, 'run');
    try {
      return live('start') ?? (await measure(run, port));
    } finally {
      const started = ['apiserver', 'etcd'].flatMap((name) => processOf(join(run, `${name}.pid`)));
      live('stop');
      await gone(started);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a list with the process id that a file contains; an empty list if the file does not exist. */
function processOf(file: string): number[] {
  return existsSync(file) ? [Number(readFileSync(file, 'utf8'))] : [];
}

/** Waits for processes that were told to end, and kills each process that does not end in time. */
async function gone(processes: readonly number[]): Promise<void> {
  const alive = (id: number): boolean => existsSync(`/proc/${id}`) && !readFileSync(`/proc/${id}/stat`, 'utf8').includes(') Z ');
  const until = performance.now() + STOP_MS;
  while (processes.some(alive) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
  for (const id of processes) if (alive(id)) process.kill(id, 'SIGKILL');
}

async function measure(run: string, port: number): Promise<ApiServerFigures | string> {
  const [object = ''] = smallObjects(1);
  const certificates = { ca: join(run, 'ca.crt'), cert: join(run, 'admin.crt'), key: join(run, 'admin.key') };
  const create = async (path: string, body: string): Promise<number> =>
    new Promise((done, fail) => {
      const call = request(
        `https://127.0.0.1:${port}${path}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          ca: readFileSync(certificates.ca),
          cert: readFileSync(certificates.cert),
          key: readFileSync(certificates.key),
        },
        (response) => response.resume().once('end', () => done(response.statusCode ?? 0)),
      );
      call.once('error', fail).end(body);
    });
  const created = await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', writeJson(SMALL_DEFINITION));
  if (created !== 201) return `the API server refused the definition with ${created}`;
  const objects = '/apis/bench.example.com/v1/namespaces/default/larges?dryRun=All';
  const until = performance.now() + SERVED_MS;
  while ((await create(objects, object)) !== 201) {
    if (performance.now() > until) return 'the API server never served the definition';
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const bodies = join(run, 'bodies.jsonl');
  writeFileSync(bodies, `${object}\n`);
  const load = (seconds: number): string =>
    spawnSync(
      join(run, 'httpload'),
      Object.entries({
        url: `https://127.0.0.1:${port}${objects}`,
        bodies,
        c: String(CONNECTIONS),
        d: `${seconds}s`,
        ...certificates,
      }).flatMap(([name, value]) => [`-${name}`, value]),
      { encoding: 'utf8', timeout: 60_000 },
    ).stdout;
  load(3);
  const [row] = jsonLines<{ perSecond: number; p50ms: number; status: Record<string, number> }>(load(SECONDS));
  if (row === undefined) return 'its load generator gave no figures';
  const others = Object.keys(row.status).filter((status) => status !== '201');
  if (others.length > 0) return `it answered with ${others.join(', ')} under load`;
  return { perSecond: row.perSecond, p50Ms: row.p50ms, connections: CONNECTIONS };
}
