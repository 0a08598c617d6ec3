import { EngineHost, NOT_RUN } from '#runner';
import type { ResultOf, RunAnswer, RunSettings, Work } from '#runner';

/** Property of the global object under which all specs of one process find the same engines. */
const ENGINES = Symbol.for('assay.test-engines');

/** Returns the engine with these threads that all services of this process share. */
function sharedEngine(threads: number, threadHeapMb: number): EngineHost {
  const shared = globalThis as { [ENGINES]?: Map<string, EngineHost> };
  const engines = (shared[ENGINES] ??= new Map<string, EngineHost>());
  const key = `${threads} ${threadHeapMb}`;
  const engine = engines.get(key) ?? new EngineHost({ threads, threadHeapMb });
  engines.set(key, engine);
  return engine;
}

/** Work of one service on an engine that it shares. The load is that of this service alone, and its end ends its work, not the engine. */
class PartOfEngine {
  readonly threads: number;
  readonly #engine: EngineHost;
  readonly #ended = new AbortController();
  /** Number of tasks that were given to the engine and have no answer yet, without background work. */
  #given = 0;

  constructor(engine: EngineHost) {
    this.#engine = engine;
    this.threads = engine.threads;
  }

  get load(): EngineHost['load'] {
    const running = Math.min(this.#given, this.threads);
    return { running, waiting: this.#given - running };
  }

  get ready(): boolean {
    return this.#engine.ready && !this.#ended.signal.aborted;
  }

  get processId(): number | undefined {
    return this.#engine.processId;
  }

  get restarts(): number {
    return this.#engine.restarts;
  }

  start(): Promise<void> {
    return this.#engine.start();
  }

  stop(): void {
    this.#ended.abort();
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    const ended = this.#ended.signal;
    if (ended.aborted) return NOT_RUN;
    const signal = settings.signal === undefined ? ended : AbortSignal.any([settings.signal, ended]);
    const weight = settings.background === true ? 0 : 1;
    this.#given += weight;
    try {
      return await this.#engine.run(work, { ...settings, signal });
    } finally {
      this.#given -= weight;
    }
  }
}

/**
 * Makes the engine of a service use the threads that all services of this process share. The service then starts no process, and its first
 * work finds warm threads.
 */
export function shareEngine(host: EngineHost, threadHeapMb: number): void {
  const part = new PartOfEngine(sharedEngine(host.threads, threadHeapMb));
  Object.defineProperties(host, {
    start: { value: () => part.start() },
    stop: { value: () => part.stop() },
    run: { value: (work: Work, settings?: RunSettings) => part.run(work, settings) },
    load: { get: () => part.load },
    ready: { get: () => part.ready },
    processId: { get: () => part.processId },
    restarts: { get: () => part.restarts },
  });
}
