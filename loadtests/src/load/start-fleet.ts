import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testing/free-port.ts';
import { REDIS_READY, redisArguments, redisOnPath } from '../../../testing/redis-server.ts';
import { startProgram } from './start-program.ts';
import type { StartedProgram } from './start-program.ts';
import { startApp, startService } from './start-service.ts';
import type { Service } from './start-service.ts';

/** A worker process of a fleet. */
export interface FleetWorker {
  /** Where its health and metrics are. */
  readonly url: string;
  readonly processId: number;
}

/** An API, a Redis of its own and worker processes, started for one experiment. */
export interface StartedFleet extends Service {
  readonly workers: readonly FleetWorker[];
  readonly redisUrl: string;
  /** Starts one more worker. */
  grow(): Promise<void>;
  /** Stops the API, then the workers, then Redis. */
  stop(): Promise<void>;
}

/** The processes of a fleet that judge or serve, by name. */
export const processesOf = ({ processId, workers }: StartedFleet): [name: string, processId: number][] => [
  ['API', processId],
  ...workers.map(({ processId: id }, i): [string, number] => [`worker ${i + 1}`, id]),
];

/** How large a fleet is. */
export interface FleetSize {
  readonly workers?: number;
  /** Of each worker; without it as many as there are cores. */
  readonly threads?: number;
}

/**
 * Starts Redis on a free port, the API, and workers, all with the given variables; undefined where there is no redis-server. What was started
 * before something fails is stopped again.
 */
export async function startFleet(
  variables: Readonly<Record<string, string>> = {},
  { workers = 1, threads }: FleetSize = {},
): Promise<StartedFleet | undefined> {
  if (!redisOnPath()) return undefined;
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    while (stops.length > 0) await stops.pop()?.();
  };
  try {
    const redisUrl = await startRedis(stops);
    const shared = { ...variables, ASSAY_REDIS_URL: redisUrl };
    const running: FleetWorker[] = [];
    const programs: StartedProgram[] = [];
    stops.push(async () => void (await Promise.all(programs.map((worker) => worker.stop()))));
    const grow = async (): Promise<void> => {
      const port = await freePort();
      const program = await startApp('worker', /worker takes chunks/, {
        ...shared,
        HOST: '127.0.0.1',
        PORT: String(port),
        ...(threads !== undefined && { ASSAY_THREADS: String(threads) }),
      });
      programs.push(program);
      running.push({ url: `http://127.0.0.1:${port}`, processId: program.processId });
    };
    const service = await startService(shared);
    stops.push(() => service.stop());
    await Promise.all(Array.from({ length: workers }, grow));
    return { ...service, workers: running, redisUrl, grow, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startRedis(stops: (() => Promise<void>)[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
  stops.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  const port = await freePort();
  const redis = await startProgram({
    name: 'redis-server',
    command: 'redis-server',
    args: redisArguments(port, folder),
    ready: REDIS_READY,
  });
  stops.push(() => redis.stop());
  return `redis://127.0.0.1:${port}`;
}
