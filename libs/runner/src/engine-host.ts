import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { DefinitionText } from '#evaluation';
import { logOnly, traceOf } from '#telemetry';
import type { Telemetry } from '#telemetry';
import { NOT_RUN } from './engine.ts';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { HostTexts } from './host-texts.ts';
import { RUN_LIMITS } from './limits.ts';
import { Outbox } from './outbox.ts';
import type { HostReply, HostRequest, ResultOf, Work, WorkResult } from './protocol.ts';

const FROM_SOURCE = import.meta.url.endsWith('.ts');
const HOST_ENTRY = fileURLToPath(new URL(`./host/main${FROM_SOURCE ? '.ts' : '.js'}`, import.meta.url));

/**
 * V8 flags of the host. Text becomes code in one file only. V8 of Node 26 keeps every function that was compiled from text, 1 to 10 kB each, in a
 * cache that a collection does not clear; a host that meets ever new definitions would fill up with it.
 */
export const HOST_FLAGS: readonly string[] = ['--disallow-code-generation-from-strings', '--no-compilation-cache'];

/** Hosts that may end before they are ready: an accident hits one, a broken installation all. */
const START_ATTEMPTS = 3;

/** Waits for a host's first word; gives how it ended instead. */
function untilReady(host: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    host.once('message', () => resolve(undefined));
    host.once('exit', (code, signal) => resolve(String(signal ?? code)));
  });
}

/** How large a host is, and whom it tells what happens to it. */
export interface EngineHostSettings {
  /** Default: one for each core. */
  readonly threads?: number;
  /** Old-generation heap of a thread, MB; a thread that exceeds it is replaced. */
  readonly threadHeapMb?: number;
  readonly telemetry?: Telemetry;
}

interface Task {
  readonly id: number;
  readonly work: Work;
  readonly definitions: readonly DefinitionText[];
  /** Wants the host to itself, so that a crash is surely its own. */
  readonly alone: boolean;
  readonly signal: AbortSignal | undefined;
  readonly settle: (answer: RunAnswer<WorkResult>) => void;
}

/**
 * The service's side of the engine host: forks it, gives it a few pieces of work for each of its threads, passes cancellations on, kills and
 * replaces it when it does not answer, and reports (never hides) what a crash interrupted.
 */
export class EngineHost implements Engine {
  readonly threads: number;
  readonly #telemetry: Telemetry;
  readonly #threadHeapMb: number;
  #process: ChildProcess | undefined;
  #ready = false;
  #stopped = false;
  #nextId = 1;
  /** What this incarnation of the host has. */
  #texts = new HostTexts(RUN_LIMITS.hostTextBytes);
  readonly #waiting: Task[] = [];
  /** What the host was given: it runs, or is next on a thread. */
  readonly #running = new Map<number, Task>();
  readonly #outbox = new Outbox<HostRequest>((requests) => this.#send(requests));
  /** How often a host had to be replaced since the start. */
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

  /** Forks the host; resolves when it takes work. One that ends before that is replaced, and only when that happens again and again it throws. */
  async start(): Promise<void> {
    this.#stopped = false;
    let host: ChildProcess | undefined = this.#fork();
    for (let attempt = 1; ; attempt++) {
      const ended = await untilReady(host);
      if (ended === undefined) return;
      // By now the host has been replaced, as whenever it ends.
      host = this.#process;
      if (attempt < START_ATTEMPTS && host !== undefined) continue;
      this.stop();
      throw new Error(`the engine host ended (${ended}) before it was ready`);
    }
  }

  /** Ends the host. Running work is answered as cancelled. */
  stop(): void {
    this.#stopped = true;
    this.#process?.kill('SIGKILL');
    for (const task of [...this.#running.values(), ...this.#waiting.splice(0)]) task.settle(NOT_RUN);
    this.#running.clear();
  }

  /** Pieces of work that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    const running = Math.min(this.#running.size, this.threads);
    return { running, waiting: this.#waiting.length + this.#running.size - running };
  }

  /** True while the host takes work. */
  get ready(): boolean {
    return this.#ready;
  }

  get processId(): number | undefined {
    return this.#process?.pid;
  }

  run<One extends Work>(work: One, { definitions = [], signal, alone = false }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    return new Promise((resolve) => {
      if (signal?.aborted || this.#stopped) return resolve(NOT_RUN);
      const id = this.#nextId++;
      const onAbort = (): void => this.#cancel(id);
      const settle = (answer: RunAnswer<WorkResult>): void => {
        signal?.removeEventListener('abort', onAbort);
        // What comes back under the id of this work is the result of its kind.
        resolve(answer as RunAnswer<ResultOf<One>>);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push({ id, work, definitions, alone, signal, settle });
      this.#dispatch();
    });
  }

  #fork(): ChildProcess {
    const execArgv = [...HOST_FLAGS, ...(FROM_SOURCE ? ['--conditions=source'] : [])];
    const child = fork(HOST_ENTRY, [String(this.threads), String(this.#threadHeapMb)], {
      execArgv,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    this.#texts = new HostTexts(RUN_LIMITS.hostTextBytes);
    this.#outbox.clear();
    child.on('message', (replies: readonly HostReply[]) => {
      if (child === this.#process) for (const reply of replies) this.#hear(reply);
    });
    child.on('exit', (code, signal) => this.#lose(child, `the engine host ended (${signal ?? `code ${code}`})`));
    child.on('error', (error) => this.#lose(child, error.message));
    return child;
  }

  #dispatch(): void {
    while (this.#ready && this.#waiting.length > 0 && this.#running.size < this.threads * RUN_LIMITS.worksPerThread) {
      const next = this.#waiting[0];
      const occupied = [...this.#running.values()];
      if (!next || (next.alone && occupied.length > 0) || occupied.some((task) => task.alone)) return;
      this.#waiting.shift();
      this.#running.set(next.id, next);
      this.#define(next.definitions);
      this.#outbox.post({ type: 'run', id: next.id, work: next.work });
    }
  }

  /** Sends the texts that the host lacks, and has it forget those that were not used for a long time. */
  #define(definitions: readonly DefinitionText[]): void {
    for (const definition of definitions) if (this.#texts.use(definition)) this.#outbox.post({ type: 'define', definition });
    const inUse = (): Set<string> => new Set([...this.#running.values()].flatMap((task) => task.definitions.map(({ digest }) => digest)));
    for (const digest of this.#texts.trim(inUse)) this.#outbox.post({ type: 'forget', digest });
  }

  #send(requests: HostRequest[]): void {
    const host = this.#process;
    host?.send(requests, (error) => {
      // A host that died between dispatch and send is noticed by its exit event, which settles what ran there. Its replacement is not meant.
      if (error) host.kill('SIGKILL');
    });
  }

  #hear(reply: HostReply): void {
    if (reply.type === 'ready') this.#ready = true;
    else if (reply.type === 'done') this.#settle(reply.id, { kind: 'done', result: reply.result, spentMs: reply.spentMs });
    else if (reply.type === 'terminated') this.#settle(reply.id, { kind: 'cancelled', spentMs: reply.spentMs });
    else {
      const { id, breakage, detail, spentMs } = reply;
      // The detail is for the operator; clients see the kind of breakage only.
      const work = this.#running.get(id)?.work;
      const trace = work?.kind === 'evaluate' ? traceOf(work.settings.traceparent) : {};
      this.#telemetry.log.error({ ...trace, breakage, detail }, 'a piece of work broke its thread');
      this.#settle(id, { kind: 'broken', breakage, detail, spentMs });
    }
    this.#dispatch();
  }

  #settle(id: number, answer: RunAnswer<WorkResult>): void {
    const task = this.#running.get(id);
    this.#running.delete(id);
    task?.settle(answer);
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.findIndex((task) => task.id === id);
    if (waiting >= 0) {
      const [task] = this.#waiting.splice(waiting, 1);
      task?.settle(NOT_RUN);
      return;
    }
    const host = this.#process;
    this.#outbox.post({ type: 'cancel', id });
    this.#outbox.flush();
    // Last resort: a native call that neither the flag nor the thread's end can interrupt.
    setTimeout(() => {
      if (host === this.#process && this.#running.has(id)) host?.kill('SIGKILL');
    }, RUN_LIMITS.graceMs + RUN_LIMITS.killAfterMs).unref();
  }

  #lose(child: ChildProcess, detail: string): void {
    if (child !== this.#process) return;
    this.#ready = false;
    this.#process = undefined;
    const interrupted = [...this.#running.values()];
    this.#running.clear();
    if (!this.#stopped) {
      this.restarts++;
      this.#telemetry.metrics.counters.engineRestarts.add(1);
      this.#telemetry.log.error({ detail, interrupted: interrupted.length }, 'the engine host is replaced');
      this.#fork();
    }
    for (const task of interrupted)
      task.settle(task.signal?.aborted ? NOT_RUN : { kind: 'broken', breakage: 'host exit', detail, spentMs: 0 });
  }
}
