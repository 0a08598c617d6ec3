import type { Engine, RunAnswer, RunSettings } from './engine.ts';
import type { ResultOf, Work } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import { SupervisedHost } from './supervised-host.ts';
import type { EngineHostSettings } from './supervised-host.ts';

/**
 * The engine as a process serves with it: a host for all work, and a quarantine for what broke a thread or a host. What runs in quarantine has its host to
 * itself and holds up nobody else.
 */
export class EngineHost implements Engine {
  readonly threads: number;
  readonly #host: SupervisedHost;
  readonly #quarantine: Quarantine;
  readonly #telemetry: EngineHostSettings['telemetry'];

  constructor(settings: EngineHostSettings = {}) {
    this.#host = new SupervisedHost(settings);
    this.#quarantine = new Quarantine(new SupervisedHost({ ...settings, threads: 1 }));
    this.threads = this.#host.threads;
    this.#telemetry = settings.telemetry;
  }

  /** Starts the host; resolves when it takes work. */
  start(): Promise<void> {
    return this.#host.start();
  }

  /** Ends all hosts. Running work is answered as cancelled. */
  stop(): void {
    this.#quarantine.stop();
    this.#host.stop();
  }

  /** Pieces of work that run or wait. */
  get load(): { readonly running: number; readonly waiting: number } {
    const [host, quarantine] = [this.#host.load, this.#quarantine.load];
    return { running: host.running + quarantine.running, waiting: host.waiting + quarantine.waiting };
  }

  /** True while the host takes work. */
  get ready(): boolean {
    return this.#host.ready;
  }

  get processId(): number | undefined {
    return this.#host.processId;
  }

  /** How often the host had to be replaced since the start. */
  get restarts(): number {
    return this.#host.restarts;
  }

  run<One extends Work>(work: One, settings: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> {
    if (!settings.alone) return this.#host.run(work, settings);
    this.#telemetry?.metrics.counters.quarantinedWork.add(1);
    return this.#quarantine.run(work, settings);
  }
}
