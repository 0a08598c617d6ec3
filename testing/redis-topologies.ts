import { execFile, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { startRedisServer } from './redis-server.ts';

const onPath = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** True if this machine has the programs for running Redis sentinels and clusters. */
export const sentinelInstalled = onPath('redis-server') && onPath('redis-sentinel') && onPath('redis-cli');
if (!sentinelInstalled)
  console.warn(
    'redis-sentinel or redis-cli is not on PATH: Sentinel and Cluster are not tested (Debian packages redis-sentinel, redis-tools)',
  );

/** Redis that consists of several processes. */
export interface Topology {
  readonly url: string;
  readonly stop: () => void;
}

/** Redis of several processes that continues to work after its serving process has died. */
export interface ReplicatedRedis extends Topology {
  /** Returns the port of the process that currently serves the keys. */
  readonly masterPort: () => number;
  /** Kills the master. Resolves when another process has become master. */
  readonly failOver: () => Promise<void>;
  /**
   * Finds out which process is the master now. Returns true if another process became master although {@link failOver} was not called. On a
   * busy machine, the other processes may consider a living master dead.
   */
  readonly learnMaster: () => Promise<boolean>;
  /** Resolves when the replica has received all writes of the master. */
  readonly copied: () => Promise<void>;
  /** Restarts the process that was killed most recently, as a replica. Resolves when the replica has received all data of the master. */
  readonly rejoin: () => Promise<void>;
}

/** Remembers until the next report if another process became master of a replicated Redis. */
class LearnedRoles {
  readonly #look: () => Promise<boolean>;
  #hasChanged = false;

  /** @param look finds out which process is the master now, and returns true if another process became master */
  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  async learn(): Promise<void> {
    if (await this.#look()) this.#hasChanged = true;
  }

  /** Finds out which process is the master now. Returns true if the master changed since the last report. */
  async report(): Promise<boolean> {
    await this.learn();
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }
}

/** A master and a replica under three sentinels. */
export type WatchedPair = ReplicatedRedis;

/** Sends a command to a Redis and returns the output of `redis-cli`. Blocks this process until the answer arrives. */
export const askRedis = (port: number, ...command: readonly string[]): string =>
  spawnSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }).stdout;

const run = promisify(execFile);

/** Sends a command to a Redis without blocking this process, even if the Redis is suspended. Returns an empty text if the Redis is dead. */
export async function commandRedis(port: number, ...command: readonly string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...command]).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

/** Waits until `holds` returns true. Only the timeout of the test limits the wait. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(50);
}

/** Returns a free port for which the port number 10,000 higher is valid too. Cluster nodes communicate on that higher port. */
async function lowPort(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port < 55_000) return port;
  }
}

/** Redis server that is one of several. */
interface Node {
  readonly port: number;
  readonly folder: string;
  child: ChildProcess;
}

/** Kills a server and waits until it is gone. */
async function kill({ child }: Node): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

const isSynchronized = (port: number): boolean => askRedis(port, 'info', 'replication').includes('master_link_status:up');

/**
 * Returns the position of a master or a replica in the replication stream, read from its replication info. `name` is the field with the
 * position, such as `master_repl_offset`. Returns undefined if the field is missing.
 */
const offset = (port: number, name: string): string | undefined =>
  new RegExp(`${name}:(\\d+)`).exec(askRedis(port, 'info', 'replication'))?.[1];
const hasAll = (master: number, replica: number): boolean => offset(master, 'master_repl_offset') === offset(replica, 'slave_repl_offset');

/** Starts a master and a replica with three sentinels, and waits until the sentinels know all of these processes. */
export async function startWatchedPair(): Promise<WatchedPair> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sentinel-'));
  const [first, second] = [await freePort(), await freePort()];
  const follow = (master: number): string[] => ['--replicaof', '127.0.0.1', String(master)];
  const nodes: readonly [Node, Node] = [
    { port: first, folder, child: await startRedisServer(first, folder, ['--dbfilename', 'first.rdb']) },
    { port: second, folder, child: await startRedisServer(second, folder, ['--dbfilename', 'second.rdb', ...follow(first)]) },
  ];
  const sentinels = await startSentinels(folder, first);
  let [master, replica] = nodes;
  await until(() => sentinels.ports.every(knowsAll));
  await until(() => isSynchronized(replica.port));
  const roles = new LearnedRoles(async () => {
    const isReplica = (await commandRedis(master.port, 'info', 'replication')).includes('master_link_status:up');
    if (isReplica) [master, replica] = [replica, master];
    return isReplica;
  });
  return {
    url: `redis+sentinel://${sentinels.ports.map((port) => `127.0.0.1:${port}`).join(',')}/main`,
    masterPort: () => master.port,
    learnMaster: () => roles.report(),
    failOver: async () => {
      await roles.learn();
      await kill(master);
      [master, replica] = [replica, master];
      const named = (port: number): string => askRedis(port, 'sentinel', 'get-master-addr-by-name', 'main');
      await until(() => sentinels.ports.every((port) => named(port).includes(String(master.port))));
    },
    copied: () =>
      until(async () => {
        await roles.learn();
        return hasAll(master.port, replica.port);
      }),
    rejoin: async () => {
      replica.child = await startRedisServer(replica.port, folder, follow(master.port));
      await until(async () => {
        await roles.learn();
        return isSynchronized(replica.port);
      });
    },
    stop: () => stopAll([...nodes.map(({ child }) => child), ...sentinels.children], [folder]),
  };
}

async function startSentinels(folder: string, master: number): Promise<{ ports: readonly number[]; children: readonly ChildProcess[] }> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const children = ports.map((port) => {
    const file = join(folder, `sentinel-${port}.conf`);
    const lines = [`monitor main 127.0.0.1 ${master} 2`, 'down-after-milliseconds main 1000', 'failover-timeout main 5000'];
    writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines.map((line) => `sentinel ${line}`), ''].join('\n'));
    return spawn('redis-sentinel', [file], { stdio: 'ignore' });
  });
  return { ports, children };
}

/** Returns true if a sentinel knows the replica and the other two sentinels. */
function knowsAll(port: number): boolean {
  const reported = askRedis(port, 'sentinel', 'master', 'main').split('\n');
  const value = (name: string): string | undefined => reported[reported.indexOf(name) + 1];
  return value('num-slaves') === '1' && value('num-other-sentinels') === '2';
}

/** Cluster of masters without replicas. */
export interface Cluster extends Topology {
  /** Ports of the masters, in the order of their slots. */
  readonly ports: readonly number[];
  /** Sends a signal such as SIGSTOP to a master. */
  readonly signal: (port: number, name: NodeJS.Signals) => void;
  /** Kills a master. `comeBack` restarts it without any keys, and resolves when all masters treat it as a member again. */
  readonly die: (port: number) => Promise<void>;
  readonly comeBack: (port: number) => Promise<void>;
}

/** Starts a cluster of three masters. If one master does not answer, the others continue to serve only if `partial` is true. */
export async function startCluster({ partial = false } = {}): Promise<Cluster> {
  const options = [...CLUSTERED, '--cluster-require-full-coverage', partial ? 'no' : 'yes'];
  const nodes = await startNodes(3, options);
  makeCluster(nodes, 0);
  const areUp = (): boolean => nodes.every(({ port }) => isClusterUp(port));
  await until(areUp);
  const nodeOf = (port: number): Node => {
    const node = nodes.find((one) => one.port === port);
    if (!node) throw new Error(`no node listens on ${port}`);
    return node;
  };
  return {
    ...topologyOf(nodes),
    ports: nodes.map(({ port }) => port),
    signal: (port, name) => void nodeOf(port).child.kill(name),
    die: (port) => kill(nodeOf(port)),
    comeBack: async (port) => {
      const node = nodeOf(port);
      node.child = await startRedisServer(port, node.folder, options);
      await until(() => areUp() && nodes.every((one) => !/fail/.test(askRedis(one.port, 'cluster', 'nodes'))));
    },
  };
}

/** Starts a cluster of three masters with one replica each. In the result, "master" always means the master that serves `key`. */
export async function startReplicatedCluster(key: string): Promise<ReplicatedRedis> {
  const nodes = await startNodes(6);
  makeCluster(nodes, 1);
  await until(() => nodes.every(({ port }) => askRedis(port, 'cluster', 'info').includes('cluster_state:ok')));
  const slot = Number(askRedis(nodes[0]?.port ?? 0, 'cluster', 'keyslot', key));
  const ownerSeenBy = (port: number): number | undefined => ownerOf(slot, askRedis(port, 'cluster', 'nodes'));
  let master = await first(() => nodes.map(({ port }) => ownerSeenBy(port)).find((owner) => owner !== undefined));
  let dead: Node | undefined;
  const roles = new LearnedRoles(async () => {
    const tables = await Promise.all(nodes.map(({ port }) => commandRedis(port, 'cluster', 'nodes')));
    const seen = tables.map((table) => ownerOf(slot, table));
    const other = seen.find((owner) => owner !== undefined && owner !== master);
    const isMajority = 2 * seen.filter((owner) => owner === other).length > nodes.length;
    if (other === undefined || !isMajority) return false;
    master = other;
    return true;
  });
  const followers = (): number[] => nodes.map(({ port }) => port).filter((port) => follows(port, master));
  await until(() => followers().some(isSynchronized));
  return {
    ...topologyOf(nodes),
    masterPort: () => master,
    learnMaster: () => roles.report(),
    failOver: async () => {
      const before = nodes.find(({ port }) => port === master);
      if (!before) throw new Error('the owner of the slot is none of the nodes');
      await kill(before);
      dead = before;
      const others = nodes.filter((node) => node !== before);
      master = await first(() => others.map(({ port }) => ownerSeenBy(port)).find((owner) => owner !== undefined && owner !== before.port));
      await until(() => others.every(({ port }) => ownerSeenBy(port) === master && isClusterUp(port)));
    },
    copied: () =>
      until(async () => {
        await roles.learn();
        return followers().some((port) => hasAll(master, port));
      }),
    rejoin: async () => {
      if (!dead) return;
      const { port, folder } = dead;
      dead.child = await startRedisServer(port, folder, CLUSTERED);
      await until(() => isSynchronized(port));
    },
  };
}

const CLUSTERED = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
const isClusterUp = (port: number): boolean => askRedis(port, 'cluster', 'info').includes('cluster_state:ok');
const follows = (port: number, master: number): boolean => askRedis(port, 'info', 'replication').includes(`master_port:${master}`);

/**
 * Returns the port of the living master that serves a slot, according to the output of `CLUSTER NODES`. Returns undefined if no living
 * master serves the slot.
 */
function ownerOf(slot: number, reported: string): number | undefined {
  for (const line of reported.split('\n')) {
    const [, address = '', flags = '', , , , , , ...ranges] = line.trim().split(' ');
    if (!flags.includes('master') || flags.includes('fail')) continue;
    const holds = ranges.some((range) => {
      const [from = NaN, to = from] = range.split('-').map(Number);
      return slot >= from && slot <= to;
    });
    if (holds) return Number(address.split('@')[0]?.split(':')[1]);
  }
  return undefined;
}

/** Calls `ask` repeatedly until its answer is not undefined, and returns this answer. */
async function first<Answer>(ask: () => Answer | undefined): Promise<Answer> {
  for (;;) {
    const answer = ask();
    if (answer !== undefined) return answer;
    await setTimeout(50);
  }
}

async function startNodes(count: number, options = CLUSTERED): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  for (let i = 0; i < count; i++) {
    const [port, folder] = [await lowPort(), mkdtempSync(join(tmpdir(), 'assay-cluster-'))];
    nodes.push({ port, folder, child: await startRedisServer(port, folder, options) });
  }
  return nodes;
}

/** Joins servers to a cluster with the given number of replicas for each master. */
function makeCluster(nodes: readonly Node[], replicas: number): void {
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const options = ['--cluster-replicas', String(replicas), '--cluster-yes'];
  const made = spawnSync('redis-cli', ['--cluster', 'create', ...addresses, ...options], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`no cluster: ${made.stdout}${made.stderr}`);
}

const topologyOf = (nodes: readonly Node[]): Topology => ({
  url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
  stop: () =>
    stopAll(
      nodes.map(({ child }) => child),
      nodes.map(({ folder }) => folder),
    ),
});

function stopAll(children: readonly ChildProcess[], folders: readonly string[]): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
