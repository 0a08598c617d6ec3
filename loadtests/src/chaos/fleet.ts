import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../testing/free-port.ts';
import { redisOnPath, startRedisServer } from '../../../testing/redis-server.ts';
import { appArguments } from '../load/start-service.ts';
import { TcpProxy } from './tcp-proxy.ts';

/** A process of the fleet that is started again when it ended. */
export interface Member {
  readonly name: string;
  /** @param fileBlocks files may not grow beyond so many blocks of 512 bytes: to these processes the disk is full */
  readonly start: (fileBlocks?: number) => ChildProcess;
  /** Where its processes say what they say. */
  readonly log: string;
  process: ChildProcess;
}

/** Environment variable by which processes of a run are found again, also when their parent is gone. */
const MARK = 'ASSAY_CHAOS_RUN';
const WORKERS = 3;
const READY_MS = 60_000;
/** Longer than an API waits for open requests (ASSAY_DRAIN_MS), ms. */
const STOP_MS = 30_000;

/** What is hurt: an API with three workers and a Redis behind a proxy, or an API that does everything itself and keeps a journal. */
export type FleetKind = 'redis' | 'embedded';

/** Processes of which each can be hurt. */
export class Fleet {
  readonly kind: FleetKind;
  readonly url: string;
  /** Between all processes and Redis; undefined where there is none. */
  readonly proxy: TcpProxy | undefined;
  readonly workers: readonly Member[];
  readonly api: Member;
  readonly #folder: string;
  readonly #redisPort: number;
  #redis: ChildProcess | undefined;

  private constructor({ folder, apiPort, broker }: { folder: string; apiPort: number; broker: Broker | undefined }) {
    this.kind = broker === undefined ? 'embedded' : 'redis';
    this.#folder = folder;
    this.#redisPort = broker?.port ?? 0;
    this.#redis = broker?.process;
    this.proxy = broker?.proxy;
    this.url = `http://127.0.0.1:${apiPort}`;
    const environment = {
      ...process.env,
      // What is unique to this run marks its processes.
      [MARK]: folder,
      HOST: '127.0.0.1',
      ...(this.proxy && { ASSAY_REDIS_URL: `redis://127.0.0.1:${this.proxy.port}` }),
      ASSAY_JOURNAL: join(folder, 'journal.sqlite'),
      ASSAY_THREADS: '1',
      ASSAY_THREAD_HEAP_MB: '24',
      LOG_LEVEL: 'fatal',
    };
    const member = (name: string, app: 'api' | 'worker', port: number): Member => {
      const args = appArguments(app);
      const log = join(folder, `${name}.log`);
      const said = openSync(log, 'a');
      const settings = { env: { ...environment, PORT: String(port) }, stdio: ['ignore' as const, said, said] };
      const start = (fileBlocks?: number): ChildProcess =>
        fileBlocks === undefined
          ? spawn(process.execPath, args, settings)
          : spawn('sh', ['-c', `ulimit -f ${fileBlocks}; exec "$0" "$@"`, process.execPath, ...args], settings);
      return { name, start, log, process: start() };
    };
    this.api = member('api', 'api', apiPort);
    this.workers = broker === undefined ? [] : Array.from({ length: WORKERS }, (_, i) => member(`worker ${i + 1}`, 'worker', 0));
  }

  /** Starts everything and waits until it is ready; undefined where a redis-server is wanted and there is none. */
  static async start(kind: FleetKind): Promise<Fleet | undefined> {
    if (kind === 'redis' && !redisOnPath()) return undefined;
    const folder = mkdtempSync(join(tmpdir(), 'assay-chaos-'));
    const broker = kind === 'redis' ? await startBroker(folder) : undefined;
    const fleet = new Fleet({ folder, apiPort: await freePort(), broker });
    await fleet.untilReady();
    return fleet;
  }

  /** Waits until the API answers that it is ready. */
  async untilReady(): Promise<void> {
    for (const until = Date.now() + READY_MS; Date.now() < until; await setTimeout(200)) {
      const ready = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      if (ready?.ok === true) return;
    }
    throw new Error(`the fleet was not ready within ${READY_MS / 1000} s`);
  }

  /** Kills a member, and starts it again after a pause. */
  async kill(member: Member, pauseMs: number, fileBlocks?: number): Promise<void> {
    const { process: old } = member;
    const ended = new Promise((done) => old.once('exit', done));
    if (isAlive(old)) {
      old.kill('SIGKILL');
      await ended;
    }
    await setTimeout(pauseMs);
    member.process = member.start(fileBlocks);
  }

  /** Starts those that ended although nobody killed them; says which, and their last words. */
  supervise(): string[] {
    return [this.api, ...this.workers].flatMap((member) => {
      if (isAlive(member.process)) return [];
      const { exitCode, signalCode } = member.process;
      member.process = member.start();
      const words = readFileSync(member.log, 'utf8').trim().split('\n').slice(-12).join(' | ');
      return [`${member.name} ended by itself (${signalCode ?? exitCode}): ${words.slice(-1500)}`];
    });
  }

  /** Children of a member's process: its engine host. */
  childrenOf({ process: { pid } }: Member): number[] {
    try {
      const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
      return text === '' ? [] : text.split(' ').map(Number);
    } catch {
      return [];
    }
  }

  get redisPid(): number | undefined {
    return this.#redis?.pid;
  }

  /** Kills Redis and starts it again. `remembers`: what it had written survives. */
  async restartRedis(remembers: boolean, pauseMs: number): Promise<void> {
    const redis = this.#redis;
    if (redis === undefined) return;
    const ended = new Promise((done) => redis.once('exit', done));
    redis.kill('SIGKILL');
    await ended;
    if (!remembers) rmSync(join(this.#folder, 'appendonlydir'), { recursive: true, force: true });
    await setTimeout(pauseMs);
    this.#redis = await startRedis(this.#redisPort, this.#folder);
  }

  /** Runs a command in Redis, past the proxy. */
  redis(...command: readonly string[]): string {
    if (this.#redis === undefined) return '';
    return spawnSync('redis-cli', ['-p', String(this.#redisPort), ...command], { encoding: 'utf8' }).stdout.trim();
  }

  /** Ends everything. Gives what was still alive afterwards: nothing, if no process outlives its parent. */
  async stop(): Promise<readonly number[]> {
    const members = [this.api, ...this.workers];
    const ends = members
      .filter(({ process: child }) => isAlive(child))
      .map(({ process: child }) => new Promise((done) => child.once('exit', done)));
    for (const { process: child } of members) child.kill('SIGCONT');
    for (const { process: child } of members) child.kill('SIGTERM');
    await Promise.race([Promise.all(ends), setTimeout(STOP_MS)]);
    this.#redis?.kill('SIGKILL');
    this.proxy?.stop();
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

const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;

/** A Redis and the proxy before it. */
interface Broker {
  readonly port: number;
  readonly process: ChildProcess;
  readonly proxy: TcpProxy;
}

async function startBroker(folder: string): Promise<Broker> {
  const port = await freePort();
  return { port, process: await startRedis(port, folder), proxy: await TcpProxy.start(port) };
}

/** Each write is on the disk before it is answered: what Redis had said survives a kill. */
const startRedis = (port: number, folder: string): Promise<ChildProcess> =>
  startRedisServer(port, folder, ['--appendonly', 'yes', '--appendfsync', 'always']);
