import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../testing/free-port.ts';
import { askRedis, commandRedis, startReplicatedCluster, startWatchedPair } from '../../../testing/redis-topologies.ts';
import type { ReplicatedRedis } from '../../../testing/redis-topologies.ts';
import { startRedisServer } from '../../../testing/redis-server.ts';
import { ActionSequence } from './action-sequence.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** Redis of a fleet, with the ways in which a test can make Redis fail. */
export interface Broker {
  /** Address of Redis, in the format of ASSAY_REDIS_URL. */
  readonly url: string;
  /** Proxy between all processes and Redis; undefined if the processes connect to the Redis nodes directly. */
  readonly proxy: TcpProxy | undefined;
  /** Process id of the Redis server; undefined if there are several Redis processes. */
  readonly pid: number | undefined;
  /** Runs a command in the Redis process that stores the keys, bypassing the proxy. */
  readonly command: (...words: readonly string[]) => Promise<string>;
  /**
   * Kills Redis and starts it again after `pauseMs`. If `memory` is `keepsData`, the data that Redis had written to disk survives.
   * Undefined unless Redis is a single server.
   */
  readonly restart?: (memory: 'keepsData' | 'losesData', pauseMs: number) => Promise<void>;
  /**
   * Kills the current master so that a replica takes over, and later lets the old master rejoin. If `moment` is `afterCopy`, the replica
   * first receives all acknowledged writes. Undefined if there are no replicas.
   */
  readonly failOver?: (moment: 'afterCopy' | 'atOnce', pauseMs: number) => Promise<void>;
  /**
   * Calls `listener` each time that a replica became master although the master was not killed. Redis may have lost writes then. On a busy
   * machine, this happens if the master does not answer for a second. Undefined if there are no replicas.
   */
  readonly onOwnFailOver?: (listener: () => void) => void;
  readonly stop: () => void;
}

/** Starts a single Redis server that writes to disk before it answers. Every write that it has acknowledged survives a kill. */
export async function startSingleBroker(folder: string): Promise<Broker> {
  const port = await freePort();
  const start = (): Promise<ChildProcess> => startRedisServer(port, folder, ['--appendonly', 'yes', '--appendfsync', 'always']);
  let child = await start();
  const changes = new ActionSequence();
  const proxy = await TcpProxy.start(port);
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    proxy,
    get pid() {
      return child.pid;
    },
    command: (...words) => commandRedis(port, ...words),
    restart: (memory, pauseMs) =>
      changes.do(async () => {
        const ended = new Promise((done) => child.once('exit', done));
        child.kill('SIGKILL');
        await ended;
        if (memory === 'losesData') rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
        await setTimeout(pauseMs);
        child = await start();
      }),
    stop: () => {
      child.kill('SIGKILL');
      proxy.stop();
    },
  };
}

/** Time in ms for which writes to Redis are paused. The pause is longer than the time that any fail-over waits for its replica. */
const PAUSE_WRITES_MS = '60000';

/** Interval in ms at which the test looks for fail-overs that it did not cause. */
const LOOK_MS = 500;

/** Starts a master and a replica under three sentinels, or a cluster of three masters and three replicas. */
export async function startReplicatedBroker(kind: 'sentinel' | 'cluster'): Promise<Broker> {
  const redis: ReplicatedRedis = kind === 'sentinel' ? await startWatchedPair() : await startReplicatedCluster('{assay}:format');
  const changes = new ActionSequence();
  const listeners: (() => void)[] = [];
  const learnMaster = async (): Promise<boolean> => {
    const hasChanged = await redis.learnMaster();
    if (hasChanged) for (const listener of listeners) listener();
    return hasChanged;
  };
  /** Pauses writes until a replica has all earlier writes. Redis acknowledges no paused write, so no acknowledged write is lost. */
  const copyAll = async (): Promise<void> => {
    await learnMaster();
    do {
      askRedis(redis.masterPort(), 'CLIENT', 'PAUSE', PAUSE_WRITES_MS, 'WRITE');
      await redis.copied();
    } while (await learnMaster());
  };
  let isLooking = false;
  const looking = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void changes.do(learnMaster).finally(() => (isLooking = false));
  }, LOOK_MS);
  return {
    url: redis.url,
    proxy: undefined,
    pid: undefined,
    command: (...words) => commandRedis(redis.masterPort(), ...words),
    failOver: (moment, pauseMs) =>
      changes.do(async () => {
        if (moment === 'afterCopy') await copyAll();
        await redis.failOver();
        await setTimeout(pauseMs);
        await redis.rejoin();
      }),
    onOwnFailOver: (listener) => void listeners.push(listener),
    stop: () => {
      clearInterval(looking);
      redis.stop();
    },
  };
}
