import { LRUCache } from 'lru-cache';
import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import { RUN_LIMITS } from './limits.ts';
import type { ResultOf, Work } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import { SupervisedHost } from './supervised-host.ts';
import type { EngineHostSettings } from './supervised-host.ts';

/**
 * Engine that runs tasks in separate host processes: one host for regular tasks and one for quarantine. If a task crashes a thread or its
 * host, this task and the other tasks that the crash interrupted are repeated in quarantine. The quarantine has its own host, so regular
 * tasks are not delayed. A flow is the queue of one client. If a task of a flow blocks a thread that cannot be ended, the next tasks of the
 * flow start in quarantine for {@link RUN_LIMITS.offenderMs}. No flow can therefore break the regular host repeatedly.
 */
export class EngineHost implements Engine {
  readonly threads: number;
  readonly #host: SupervisedHost;
  readonly #quarantine: Quarantine;
  readonly #telemetry: EngineHostSettings['telemetry'];
  readonly #offenders = new LRUCache<string, true>({ max: RUN_LIMITS.offenders, ttl: RUN_LIMITS.offenderMs });

  constructor(settings: EngineHostSettings = {}) {
    this.#host = new SupervisedHost(settings);
    this.#quarantine = new Quarantine(new SupervisedHost({ ...settings, threads: 1 }));
    this.threads = this.#host.threads;
    this.#telemetry = settings.telemetry;
  }

  /** Starts the host for regular work. Resolves when the host accepts work. */
  start(): Promise<void> {
    return this.#host.start();
  }

  /** Ends all hosts. Running work is answered as cancelled. */
  stop(): void {
    this.#quarantine.stop();
    this.#host.stop();
  }

  /** Numbers of running and waiting tasks on both hosts. */
  get load(): { readonly running: number; readonly waiting: number } {
    const [host, quarantine] = [this.#host.load, this.#quarantine.load];
    return { running: host.running + quarantine.running, waiting: host.waiting + quarantine.waiting };
  }

  /** True while the host for regular work accepts work. */
  get ready(): boolean {
    return this.#host.ready;
  }

  get processId(): number | undefined {
    return this.#host.processId;
  }

  /** Number of times that the host for regular work was replaced since the start. */
  get restarts(): number {
    return this.#host.restarts;
  }

  async run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    const { alone, flow, signal } = settings;
    const isSuspect = alone === true || (flow !== undefined && this.#offenders.has(flow));
    let answer = isSuspect ? await this.#runInQuarantine(work, settings) : await this.#host.run(work, settings);
    if (answer.kind === 'broken' && !isSuspect && answer.breakage !== 'stuck thread') {
      const again = await this.#runInQuarantine(work, settings);
      answer = { ...again, spentMs: answer.spentMs + again.spentMs };
    }
    if (answer.kind !== 'broken') return answer;
    if (answer.breakage === 'stuck thread' && flow !== undefined) this.#offenders.set(flow, true);
    return signal?.aborted ? { kind: 'cancelled', spentMs: answer.spentMs } : answer;
  }

  #runInQuarantine<One extends Work>(work: One, settings: RunSettings): Promise<RunAnswer<ResultOf<One>>> {
    this.#telemetry?.metrics.counters.quarantinedWork.add(1);
    return this.#quarantine.run(work, settings);
  }
}
