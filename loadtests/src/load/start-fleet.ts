import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../testing/free-port.ts';
import { REDIS_READY, redisArguments, redisOnPath } from '../../../testing/redis-server.ts';
import { childrenOf } from '../measure/process-cpu.ts';
import { startProgram } from './start-program.ts';
import type { StartedProgram } from './start-program.ts';
import { startService } from './start-service.ts';
import type { Service } from './start-service.ts';

/** Nodes on one port with a separate Redis, started for one experiment. */
export interface StartedFleet extends Service {
  /** Ids of the node processes. Each has its engine host, which validates objects, as a child process. */
  readonly nodes: readonly number[];
  readonly redisUrl: string;
  /** Stops the nodes, and afterwards Redis. */
  stop(): Promise<void>;
}

/** The size of a fleet. */
export interface FleetSize {
  readonly nodes?: number;
  /** Number of engine threads of each node; the default is the number of cores. */
  readonly threads?: number;
}

/**
 * Starts Redis on a free port, and nodes that use it, all with the given environment variables. Returns undefined if there is no
 * redis-server. If a start fails, stops everything that was started.
 */
export async function startFleet(
  variables: Readonly<Record<string, string>> = {},
  { nodes = 1, threads }: FleetSize = {},
): Promise<StartedFleet | undefined> {
  if (!redisOnPath()) return undefined;
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    while (stops.length > 0) await stops.pop()?.();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'));
    stops.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
    const redis = await startRedis(folder);
    stops.push(() => redis.stop());
    const redisUrl = redis.url;
    const service = await startService({
      ...variables,
      ASSAY_REDIS_URL: redisUrl,
      ASSAY_API_PROCESSES: String(nodes),
      ...(threads !== undefined && { ASSAY_THREADS: String(threads) }),
    });
    stops.push(() => service.stop());
    // A single node is the process itself. Each of several nodes is a child of the supervising process.
    return { ...service, nodes: nodes === 1 ? [service.processId] : childrenOf(service.processId), redisUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a Redis on a free port with its files in a folder. */
export async function startRedis(folder: string): Promise<StartedProgram & { readonly url: string }> {
  const port = await freePort();
  const args = redisArguments(port, folder);
  const redis = await startProgram({ name: 'redis-server', command: 'redis-server', args, ready: REDIS_READY });
  return { ...redis, url: `redis://127.0.0.1:${port}` };
}
