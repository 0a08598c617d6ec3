import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { deserialize } from 'node:v8';
import type { DefinitionText } from '#documents';
import { logOnly, traceOf } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { NOT_RUN } from './engine.ts';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { blockOf, evaluationFrame, isSmall, readAnswer } from './frames/evaluation-frame.ts';
import { contentOf, FRAME, FrameReader, HOST_PIPE } from './frames/frame.ts';
import { FrameOutbox, FrameRooms } from './frames/frame-outbox.ts';
import { HOST_ENTRY } from './host/host-entry.ts';
import { HostTexts } from './host-texts.ts';
import { RUN_LIMITS } from './limits.ts';
import type { HostReply, HostRequest, ResultOf, Work, WorkResult } from './protocol.ts';

/**
 * V8 flags of the host, the process whose threads compute the verdicts. The first flag forbids code generation from strings everywhere
 * except in the one file of the host that turns text into code. V8 of Node 26 keeps every function that was compiled from text, 1 to 10 kB
 * each, in a cache that is never cleared. Without the second flag, new definitions would fill the host's memory. Without the third flag, V8
 * would collect the garbage of each thread on further threads, which take the cores of the other threads. On two cores, batches then take 3
 * to 8 % longer. While a study runs in the background, the slowest of a hundred requests then takes a third longer.
 */
export const HOST_FLAGS: readonly string[] = ['--disallow-code-generation-from-strings', '--no-compilation-cache', '--single-threaded-gc'];

/**
 * All environment variables of the host process, which inherits no others. Without `MALLOC_ARENA_MAX`, the C library would give each thread
 * a separate heap. Memory that one thread frees would then not be available to other threads.
 */
const HOST_VARIABLES = { MALLOC_ARENA_MAX: '2' } as const;

/** Standard streams of the host, and its pipe to this process. The host writes its output to the streams of this process. */
const HOST_STDIO: StdioOptions = ['ignore', 'inherit', 'inherit', 'pipe'];

/**
 * Maximum number of hosts in succession that may end before they are ready. An accident affects a single host; a broken installation
 * affects every host.
 */
const START_ATTEMPTS = 3;

/**
 * Settings of an engine host (child process whose threads evaluate objects): the number and heap size of its threads. `telemetry` receives
 * the events of the host.
 */
export interface EngineHostSettings {
  /** Number of threads; by default, the number of cores. */
  readonly threads?: number;
  /** Old-generation heap of each thread, in MB. A thread that exceeds it is replaced. */
  readonly threadHeapMb?: number;
  readonly telemetry?: Telemetry;
}

/** Running host process, and the outbox for messages to it. */
interface Host {
  readonly process: ChildProcess;
  readonly outbox: FrameOutbox;
  /**
   * Promise that resolves when the host is ready or has ended. Its value is undefined, or the reason why the host ended before it was
   * ready.
   */
  readonly begun: PromiseWithResolvers<string | undefined>;
}

interface Task {
  readonly id: number;
  readonly work: Work;
  /** Frame in which the work is sent if the work is an evaluation; otherwise undefined. */
  readonly frame: Buffer | undefined;
  /**
   * Amount by which the task counts towards the number of tasks that the host may receive at once. It is 0 for background work, which has
   * separate threads.
   */
  readonly weight: number;
  readonly background: boolean;
  readonly definitions: readonly DefinitionText[];
  readonly signal: AbortSignal | undefined;
  readonly settle: (answer: RunAnswer<WorkResult>) => void;
}

/**
 * Engine that runs tasks in one engine host (child process with threads). It starts the host, sends it a few tasks for each of its threads,
 * and sends cancellations. It kills and replaces a host that does not answer, and reports the tasks that a crash interrupted.
 */
export class SupervisedHost implements Engine {
  readonly threads: number;
  readonly #telemetry: Telemetry;
  readonly #threadHeapMb: number;
  #host: Host | undefined;
  #ready = false;
  #stopped = false;
  #nextId = 1;
  /** Record of the definition texts that the current host process stores. */
  #texts = new HostTexts(RUN_LIMITS.hostTextBytes);
  readonly #rooms = new FrameRooms();
  readonly #take = (bytes: number): Buffer => this.#rooms.take(bytes);
  readonly #giveBack = (frame: Buffer): void => this.#rooms.giveBack(frame);
  readonly #waiting: Task[] = [];
  /** Tasks that were sent to the host, by id. They run on a thread or wait for a thread of the host. */
  readonly #running = new Map<number, Task>();
  /** Sum of the weights of all tasks that were sent to the host. */
  #weight = 0;
  /** Number of times that the host was replaced since the start. */
  restarts = 0;

  constructor({
    threads = availableParallelism(),
    threadHeapMb = RUN_LIMITS.threadHeapMb,
    telemetry = logOnly(),
  }: EngineHostSettings = {}) {
    this.threads = Math.max(1, threads);
    this.#threadHeapMb = threadHeapMb;
    this.#telemetry = telemetry;
  }

  /**
   * Starts the host unless one exists. Resolves when the host accepts work. Replaces a host that ends before it accepts work. Throws if
   * this happens repeatedly.
   */
  async start(): Promise<void> {
    this.#stopped = false;
    let host: Host | undefined = this.#host ?? this.#launch();
    for (let attempt = 1; ; attempt++) {
      const ended = await host.begun.promise;
      if (ended === undefined) return;
      // The handler of the host's end has already started the next host.
      host = this.#host;
      if (attempt < START_ATTEMPTS && host !== undefined) continue;
      this.stop();
      throw new Error(`the engine host ended (${ended}) before it was ready`);
    }
  }

  /** Ends the host. Running work is answered as cancelled. */
  stop(): void {
    this.#stopped = true;
    this.#host?.process.kill('SIGKILL');
    this.#host?.begun.resolve('it was stopped');
    this.#host = undefined;
    this.#ready = false;
    for (const task of [...this.#running.values(), ...this.#waiting.splice(0)]) task.settle(NOT_RUN);
    this.#running.clear();
    this.#weight = 0;
  }

  /**
   * Numbers of running and waiting tasks. At most one task per thread counts as running. Background tasks that were sent to the host are
   * not counted.
   */
  get load(): { readonly running: number; readonly waiting: number } {
    const given = Array.from(this.#running.values()).filter(({ background }) => !background).length;
    const running = Math.min(given, this.threads);
    return { running, waiting: this.#waiting.length + given - running };
  }

  /** True while the host accepts work. */
  get ready(): boolean {
    return this.#ready;
  }

  get processId(): number | undefined {
    return this.#host?.process.pid;
  }

  run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    const { definitions = [], signal, background = false } = settings;
    return new Promise((resolve) => {
      if (signal?.aborted || this.#stopped) return resolve(NOT_RUN);
      const id = this.#nextId++;
      const onAbort = (): void => this.#cancel(id);
      const settle = (answer: RunAnswer<WorkResult>): void => {
        signal?.removeEventListener('abort', onAbort);
        // TypeScript cannot see that the type of the answer belongs to the kind of `work`.
        resolve(answer as RunAnswer<ResultOf<One>>);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const frame = this.#frameOf(id, work);
      const weight = background ? 0 : frame && isSmall(blockOf(frame)) ? 1 : RUN_LIMITS.smallTasks;
      this.#waiting.push({ id, work, frame, weight, background, definitions, signal, settle });
      this.#dispatch();
    });
  }

  #launch(): Host {
    const flags = [...HOST_FLAGS, ...(HOST_ENTRY.endsWith('.ts') ? ['--conditions=source'] : [])];
    const child = spawn(process.execPath, [...flags, HOST_ENTRY, String(this.threads), String(this.#threadHeapMb)], {
      env: HOST_VARIABLES,
      stdio: HOST_STDIO,
    });
    const pipe = child.stdio[HOST_PIPE] as Socket;
    const host: Host = { process: child, outbox: new FrameOutbox(pipe), begun: Promise.withResolvers() };
    this.#host = host;
    this.#texts = new HostTexts(RUN_LIMITS.hostTextBytes);
    const reader = new FrameReader((kind, id, block) => this.#read(host, kind, id, block), { keeps: false });
    pipe.on('data', (bytes: Buffer) => {
      reader.read(bytes);
      this.#dispatch();
    });
    // An error of the pipe means that the host is lost. After the kill, the exit event of the host settles its work.
    pipe.on('error', () => child.kill('SIGKILL'));
    child.on('exit', (code, signal) => this.#onHostLost(host, signal ?? `code ${code}`));
    child.on('error', (error) => this.#onHostLost(host, error.message));
    return host;
  }

  #dispatch(): void {
    const outbox = this.#host?.outbox;
    if (!outbox) return;
    while (this.#ready && this.#weight < this.threads * RUN_LIMITS.worksPerThread * RUN_LIMITS.smallTasks) {
      const [next] = this.#waiting;
      if (!next) return;
      this.#waiting.shift();
      this.#running.set(next.id, next);
      this.#weight += next.weight;
      this.#define(next.definitions, outbox);
      if (next.frame) outbox.postFrame(next.frame, this.#giveBack);
      else outbox.post({ type: 'run', id: next.id, work: next.work, background: next.background });
    }
  }

  /** Sends the definition texts that the host does not have. Requests the host to forget texts that were not used for a long time. */
  #define(definitions: readonly DefinitionText[], outbox: FrameOutbox): void {
    const post = (request: HostRequest): void => outbox.post(request);
    for (const definition of definitions) if (this.#texts.use(definition)) post({ type: 'define', definition });
    const inUse = (): Set<string> => new Set([...this.#running.values()].flatMap((task) => task.definitions.map(({ digest }) => digest)));
    for (const digest of this.#texts.trim(inUse)) post({ type: 'forget', digest });
  }

  #read(host: Host, kind: number, id: number, block: Buffer): void {
    if (host !== this.#host) return;
    const content = contentOf(block);
    if (kind === FRAME.evaluation) this.#settle(id, { kind: 'done', ...readAnswer(content) });
    // The message refers to parts of its buffer, which the reader reuses for later frames. So the message gets a copy.
    else this.#onReply(host, deserialize(Buffer.from(new Uint8Array(content).buffer)) as HostReply);
  }

  #onReply(host: Host, reply: HostReply): void {
    if (reply.type === 'ready') {
      this.#ready = true;
      host.begun.resolve(undefined);
    } else if (reply.type === 'done') this.#settle(reply.id, { kind: 'done', result: reply.result, spentMs: reply.spentMs });
    else if (reply.type === 'terminated') this.#settle(reply.id, { kind: 'cancelled', spentMs: reply.spentMs });
    else if (reply.type === 'stuck') this.#endStuck(host, reply.id, reply.spentMs);
    else {
      const { id, breakage, detail, spentMs } = reply;
      // The detail is for the operator. Clients see only the kind of breakage.
      const work = this.#running.get(id)?.work;
      const trace = work?.kind === 'evaluate' ? traceOf(work.traceparent) : {};
      this.#telemetry.log.error({ ...trace, breakage, detail }, 'a task broke its thread');
      this.#settle(id, { kind: 'broken', breakage, detail, spentMs });
    }
  }

  #settle(id: number, answer: RunAnswer<WorkResult>): void {
    const task = this.#running.get(id);
    if (task === undefined) return;
    this.#running.delete(id);
    this.#weight -= task.weight;
    task.settle(answer);
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.findIndex((task) => task.id === id);
    if (waiting >= 0) {
      const [task] = this.#waiting.splice(waiting, 1);
      task?.settle(NOT_RUN);
      return;
    }
    const host = this.#host;
    host?.outbox.post({ type: 'cancel', id } satisfies HostRequest);
    host?.outbox.flush();
    // If the host reports nothing at all, this timer ends it.
    const lateMs = RUN_LIMITS.graceMs + RUN_LIMITS.killAfterMs + RUN_LIMITS.unheardMs;
    setTimeout(() => host && this.#endStuck(host, id, lateMs), lateMs).unref();
  }

  /**
   * Kills a host with a thread that cannot be ended. Answers the task that blocks the thread. The other tasks of the killed host are
   * repeated on the next host, because they did not cause the problem.
   */
  #endStuck(host: Host, id: number, spentMs: number): void {
    const faulty = this.#running.get(id);
    if (host !== this.#host || !faulty) return;
    const detail = 'its thread ran on after it was ended';
    this.#telemetry.metrics.counters.stuckThreads.add(1);
    this.#telemetry.log.error({ detail, spentMs, work: faulty.work.kind }, 'the engine host is killed');
    const innocent = [...this.#running.values()].filter((task) => task !== faulty && !task.signal?.aborted);
    for (const { id: again } of innocent) this.#running.delete(again);
    this.#waiting.unshift(...innocent.map((task) => ({ ...task, frame: this.#frameOf(task.id, task.work) })));
    this.#settle(id, { kind: 'broken', breakage: 'stuck thread', detail, spentMs });
    host.process.kill('SIGKILL');
    this.#onHostLost(host, 'SIGKILL');
  }

  /** Returns the frame in which an evaluation is sent; undefined for work of any other kind. */
  #frameOf(id: number, work: Work): Buffer | undefined {
    return work.kind === 'evaluate' ? evaluationFrame(id, work, this.#take) : undefined;
  }

  #onHostLost(host: Host, how: string): void {
    if (host !== this.#host) return;
    const detail = `the engine host ended (${how})`;
    this.#ready = false;
    this.#host = undefined;
    const interrupted = [...this.#running.values()];
    this.#running.clear();
    this.#weight = 0;
    if (!this.#stopped) {
      this.restarts++;
      this.#telemetry.metrics.counters.engineRestarts.add(1);
      this.#telemetry.log.error({ detail, interrupted: interrupted.length }, 'the engine host is replaced');
      this.#launch();
    }
    host.begun.resolve(how);
    for (const task of interrupted)
      task.settle(task.signal?.aborted ? NOT_RUN : { kind: 'broken', breakage: 'host exit', detail, spentMs: 0 });
  }
}
