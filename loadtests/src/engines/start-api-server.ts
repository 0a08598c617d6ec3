import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../../testing/free-port.ts';
import { SHARED } from '../places.ts';

/** Running API server of Kubernetes: apiextensions-apiserver with etcd, on loopback. */
export interface StartedApiServer {
  readonly port: number;
  /** Path of a kubeconfig whose user may do everything. */
  readonly kubeconfig: string;
  /** Paths of the certificate authority, and of the client's certificate and key. */
  readonly certificates: { readonly ca: string; readonly cert: string; readonly key: string };
  /** Folder of the run, which `stop` removes. */
  readonly folder: string;
  /** Path of the load generator in Go. */
  readonly httpload: string;
  /** Ends the server and etcd, and removes the folder. */
  stop(): Promise<void>;
}

const PEERS = resolve(SHARED, 'bench-peers');
const NEEDED = ['go', 'etcd', 'openssl', 'curl'] as const;
const BUILD_MS = 900_000;
/** Time in ms after which a process that has not ended is killed. */
const STOP_MS = 10_000;

/** Returns the reason why the API server cannot be built and started here; undefined if nothing is missing. */
export function missingForApiServer(): string | undefined {
  if (!existsSync(join(PEERS, 'live.sh'))) return 'shared/bench-peers is not beside the project';
  const missing = NEEDED.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  return missing.length > 0 ? `there is no ${missing.join(', no ')}` : undefined;
}

/**
 * Builds and starts the API server of Kubernetes with etcd. It has no admission policies, no namespaces and no access reviews. Returns a text with
 * the reason if the server cannot be started.
 */
export async function startApiServer(): Promise<StartedApiServer | string> {
  const missing = missingForApiServer();
  if (missing !== undefined) return missing;
  const folder = mkdtempSync(join(tmpdir(), 'assay-live-'));
  const sources = join(folder, 'bench-peers');
  cpSync(join(PEERS, 'go'), join(sources, 'go'), { recursive: true });
  cpSync(join(PEERS, 'live.sh'), join(sources, 'live.sh'));
  const run = join(folder, 'run');
  const port = await freePort();
  // etcd also uses the port after ETCD_PORT.
  const env = { ...process.env, API_PORT: String(port), ETCD_PORT: String(await freePort()) };
  const live = (step: string): string | undefined => {
    const { status, stderr, stdout } = spawnSync('sh', [join(sources, 'live.sh'), step, run], {
      encoding: 'utf8',
      env,
      timeout: BUILD_MS,
      // Otherwise, background processes of the script would keep a pipe open.
      stdio: step === 'start' ? 'ignore' : 'pipe',
    });
    return status === 0 ? undefined : `live.sh ${step} failed${stderr ? `: ${(stderr || stdout).slice(0, 200)}` : ''}`;
  };
  const stop = async (): Promise<void> => {
    const started = ['apiserver', 'etcd'].flatMap((name) => processOf(join(run, `${name}.pid`)));
    live('stop');
    await gone(started);
    rmSync(folder, { recursive: true, force: true });
  };
  const problem = live('build') ?? live('start');
  if (problem !== undefined) {
    await stop();
    return problem;
  }
  const certificates = { ca: join(run, 'ca.crt'), cert: join(run, 'admin.crt'), key: join(run, 'admin.key') };
  return { port, kubeconfig: join(run, 'kubeconfig'), certificates, folder: run, httpload: join(run, 'httpload'), stop };
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
