import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Role } from '../../../testing/app-arguments.ts';
import { freePort } from '../../../testing/free-port.ts';
import { redisOnPath } from '../../../testing/redis-server.ts';
import { sentinelInstalled } from '../../../testing/redis-topologies.ts';
import { argumentsAsRun } from '../load/start-service.ts';
import { startReplicatedBroker, startSingleBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { startCollector } from './collector.ts';
import type { HangingCollector } from './collector.ts';
import { ActionSequence } from './action-sequence.ts';
import type { TcpProxy } from './tcp-proxy.ts';

/** Process of the fleet that is restarted after it ends. */
export interface Member {
  readonly name: string;
  /** @param fileBlocks highest file size in blocks of 512 bytes; it simulates a full disk */
  readonly start: (fileBlocks?: number) => ChildProcess;
  /** File to which the output of the member's processes is appended. */
  readonly log: string;
  /** File with the number of ms by which the member's wall clock differs from the real time. */
  readonly clock: string;
  process: ChildProcess;
  /** Queue of kills and starts of the member, which run one after another. */
  readonly changes: ActionSequence;
}

/** Environment variable that marks all processes of a run, so that they can be found even if their parent has ended. */
const MARK = 'CHAOS_RUN';
/**
 * Members of a fleet in addition to the node that receives the clients' requests. They compute asynchronous evaluations, and validate the
 * stretches of consecutive objects that this node offers.
 */
const OTHERS = [
  ['node 2', 'node'],
  ['node 3', 'node'],
  ['worker', 'worker'],
] as const;
const OTHERS_THAT_HOLD = OTHERS.slice(0, 1);
/** Time in ms within which a fleet must be ready. Four processes started from source take a minute on a machine with busy cores. */
const READY_MS = 240_000;
/** Time in ms for stopping a process. It exceeds the time that an API waits for open requests (ASSAY_DRAIN_MS). */
const STOP_MS = 30_000;
/** Highest number of characters of a member's last output that are reported if the member ended by itself. */
const LAST_WORDS = 1500;
/** Module that gives processes a wrong wall clock, as source or in dist/. */
const SHIFTED_CLOCK = import.meta.url.endsWith('.ts') ? 'shifted-clock.ts' : 'shifted-clock.js';

/**
 * Kinds of fleets.
 *
 * - `redis`: three nodes, a worker, and a Redis behind a proxy.
 * - `sentinel`, `cluster`: three nodes, a worker, and a Redis that consists of several processes.
 * - `embedded`: one API with a journal.
 * - `offers`: two nodes. The second node validates the stretches of consecutive objects that the first node offers.
 */
export type FleetKind = 'redis' | 'sentinel' | 'cluster' | 'embedded' | 'offers';

/** Fleet of processes in which each process can be made to fail. */
export class Fleet {
  readonly kind: FleetKind;
  readonly url: string;
  readonly broker: Broker | undefined;
  readonly collector: HangingCollector;
  readonly others: readonly Member[];
  readonly api: Member;
  readonly #folder: string;

  private constructor(kind: FleetKind, folder: string, apiPort: number, { broker, collector }: Pick<Fleet, 'broker' | 'collector'>) {
    this.kind = kind;
    this.#folder = folder;
    this.broker = broker;
    this.collector = collector;
    this.url = `http://127.0.0.1:${apiPort}`;
    const environment = {
      ...process.env,
      // This variable contains the unique folder of the run, and so marks the processes of the run.
      [MARK]: folder,
      HOST: '127.0.0.1',
      ...(broker && { ASSAY_REDIS_URL: broker.url }),
      ASSAY_JOURNAL: join(folder, 'journal.sqlite'),
      ASSAY_THREADS: '1',
      ASSAY_THREAD_HEAP_MB: '48',
      ...collector.variables,
      NODE_OPTIONS: `--import ${new URL(SHIFTED_CLOCK, import.meta.url).href}`,
    };
    this.api = this.#member('api', 'node', { ...environment, PORT: String(apiPort) });
    const others = kind === 'offers' ? OTHERS_THAT_HOLD : OTHERS;
    this.others = broker === undefined ? [] : others.map(([name, role]) => this.#member(name, role, { ...environment, PORT: '0' }));
  }

  /**
   * Starts all processes and waits until the fleet is ready. Returns undefined if the machine lacks the Redis programs that this kind of
   * fleet needs.
   */
  static async start(kind: FleetKind): Promise<Fleet | undefined> {
    const isThere = kind === 'sentinel' || kind === 'cluster' ? sentinelInstalled : kind === 'embedded' || redisOnPath();
    if (!isThere) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'assay-chaos-'));
    const [apiPort, broker, collector] = [await freePort(), await startBroker(kind, folder), await startCollector()];
    const fleet = new Fleet(kind, folder, apiPort, { broker, collector });
    try {
      await fleet.#untilStarted();
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  get members(): readonly Member[] {
    return [this.api, ...this.others];
  }

  /** Proxy between all processes and Redis; undefined if the fleet has no proxy. */
  get proxy(): TcpProxy | undefined {
    return this.broker?.proxy;
  }

  #member(name: string, role: Role, variables: NodeJS.ProcessEnv): Member {
    const args = argumentsAsRun();
    const [log, clock] = [join(this.#folder, `${name}.log`), join(this.#folder, `${name}.clock`.replace(' ', '-'))];
    writeFileSync(clock, '0');
    const settings = {
      env: { ...variables, ASSAY_ROLE: role, CHAOS_CLOCK: clock },
      stdio: ['ignore' as const, 'pipe' as const, 'pipe' as const],
    };
    const start = (fileBlocks?: number): ChildProcess => {
      const child =
        fileBlocks === undefined
          ? spawn(process.execPath, args, settings)
          : spawn('sh', ['-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, ...args], settings);
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => appendFileSync(log, text));
      return child;
    };
    writeFileSync(log, '');
    return { name, start, log, clock, process: start(), changes: new ActionSequence() };
  }

  /** Waits until the API reports that it is ready. Throws an error with the last output of a member as soon as a member ends. */
  async #untilStarted(): Promise<void> {
    const started = new AbortController();
    const { signal } = started;
    // When the streams of a process are closed, its last output has been read.
    const ended = this.members.map((member) =>
      once(member.process, 'close', { signal }).then(() => Promise.reject(new Error(endOf(member)))),
    );
    try {
      await Promise.race([this.untilReady(signal), ...ended]);
    } finally {
      started.abort();
    }
  }

  /** Waits until the API reports that it is ready, or until `signal` is aborted. */
  async untilReady(signal?: AbortSignal): Promise<void> {
    for (const until = Date.now() + READY_MS; Date.now() < until; await setTimeout(200, undefined, { signal })) {
      const ready = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      if (ready?.ok === true) return;
    }
    throw new Error(`the fleet was not ready within ${READY_MS / 1000} s`);
  }

  /** Kills a member, and starts it again after a pause. */
  kill(member: Member, pauseMs: number, fileBlocks?: number): Promise<void> {
    return member.changes.do(async () => {
      const { process: old } = member;
      const ended = new Promise((done) => old.once('exit', done));
      if (isAlive(old)) {
        old.kill('SIGKILL');
        await ended;
      }
      await setTimeout(pauseMs);
      member.process = member.start(fileBlocks);
    });
  }

  /** Restarts members that ended by themselves. Returns their names with their last output. */
  supervise(): string[] {
    return this.members.flatMap((member) => {
      if (isAlive(member.process)) return [];
      const end = endOf(member);
      member.process = member.start();
      return [end];
    });
  }

  /** Runs a command in Redis, bypassing the proxy. */
  async redis(...command: readonly string[]): Promise<string> {
    return (await this.broker?.command(...command)) ?? '';
  }

  /** Stops all processes. Returns the ids of processes that were still alive afterwards; empty if no process outlived its parent. */
  async stop(): Promise<readonly number[]> {
    const { members } = this;
    const ends = members
      .filter(({ process: child }) => isAlive(child))
      .map(({ process: child }) => new Promise((done) => child.once('exit', done)));
    for (const { process: child } of members) child.kill('SIGCONT');
    for (const { process: child } of members) child.kill('SIGTERM');
    await Promise.race([Promise.all(ends), setTimeout(STOP_MS)]);
    this.broker?.stop();
    this.collector.stop();
    await setTimeout(1500);
    const orphans = this.#marked();
    for (const pid of orphans) process.kill(pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
    return orphans;
  }

  #marked(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${MARK}=${this.#folder}`);
        } catch {
          return false;
        }
      })
      .map(Number);
  }
}

/** Returns a description of how a member ended without being killed, with its last output. */
function endOf({ name, log, process: { exitCode, signalCode } }: Member): string {
  const words = readFileSync(log, 'utf8').trim().split('\n').slice(-12).join(' | ');
  return `${name} ended by itself (${signalCode ?? exitCode}): ${words.slice(-LAST_WORDS)}`;
}

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

function startBroker(kind: FleetKind, folder: string): Promise<Broker> | undefined {
  if (kind === 'embedded') return undefined;
  return kind === 'sentinel' || kind === 'cluster' ? startReplicatedBroker(kind) : startSingleBroker(folder);
}
