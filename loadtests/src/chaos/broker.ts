import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../testing/free-port.ts';
import { askRedis, commandRedis, startReplicatedCluster, startWatchedPair } from '../../../testing/redis-topologies.ts';
import type { ReplicatedRedis } from '../../../testing/redis-topologies.ts';
import { startRedisServer } from '../../../testing/redis-server.ts';
import { InTurn } from './in-turn.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** The Redis of a fleet, and how it can be hurt. */
export interface Broker {
  /** As ASSAY_REDIS_URL. */
  readonly url: string;
  /** Between all processes and Redis; undefined where they reach its nodes by themselves. */
  readonly proxy: TcpProxy | undefined;
  /** The process that has the keys; undefined where it is one of several. */
  readonly pid: number | undefined;
  /** Runs a command in the process that has the keys, past the proxy. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  /** Kills it and starts it again, if it is one server. `remembers`: what it had written survives. */
  readonly restart?: (remembers: boolean, pauseMs: number) => Promise<void>;
  /** Kills it where another takes its place, and lets it come back. `copied`: it is killed when the other has all that was acknowledged. */
  readonly failOver?: (copied: boolean, pauseMs: number) => Promise<void>;
  readonly stop: () => void;
}

/** Returns one server whose writes are on the disk before they are answered: what it had said survives a kill. */
export async function startSingleBroker(folder: string): Promise<Broker> {
  const port = await freePort();
  const start = (): Promise<ChildProcess> => startRedisServer(port, folder, ['--appendonly', 'yes', '--appendfsync', 'always']);
  let child = await start();
  const changes = new InTurn();
  const proxy = await TcpProxy.start(port);
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    proxy,
    get pid() {
      return child.pid;
    },
    command: (...words) => commandRedis(port, ...words),
    restart: (remembers, pauseMs) =>
      changes.do(async () => {
        const ended = new Promise((done) => child.once('exit', done));
        child.kill('SIGKILL');
        await ended;
        if (!remembers) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
        await setTimeout(pauseMs);
        child = await start();
      }),
    stop: () => {
      child.kill('SIGKILL');
      proxy.stop();
    },
  };
}

/** Longer than any fail-over waits for its replica, ms. */
const PAUSE_WRITES_MS = '60000';

/** Returns a master and a replica under three sentinels, or three masters and three replicas of a cluster. */
export async function startReplicatedBroker(kind: 'sentinel' | 'cluster'): Promise<Broker> {
  const redis: ReplicatedRedis = kind === 'sentinel' ? await startWatchedPair() : await startReplicatedCluster('{assay}:format');
  const changes = new InTurn();
  return {
    url: redis.url,
    proxy: undefined,
    pid: undefined,
    command: (...words) => commandRedis(redis.masterPort(), ...words),
    failOver: (copied, pauseMs) =>
      changes.do(async () => {
        if (copied) {
          // What is not answered any more was not acknowledged.
          askRedis(redis.masterPort(), 'CLIENT', 'PAUSE', PAUSE_WRITES_MS, 'WRITE');
          await redis.copied();
        }
        await redis.failOver();
        await setTimeout(pauseMs);
        await redis.rejoin();
      }),
    stop: redis.stop,
  };
}
