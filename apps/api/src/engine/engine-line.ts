import { Inject, Injectable } from '@nestjs/common';
import { FairQueue, FlowLoad, LEVELS, placeOf, seatsPerFlow } from '#queue';
import type { Flow, Level, Picked, Place, Sized } from '#queue';
import { EngineHost } from '#runner';
import type { Engine, RunAnswer, Work } from '#runner';
import { counters, histograms } from '#telemetry';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { Refusals } from './refusals.ts';
import type { Refused } from './refusals.ts';

/** What a definition, and an object, are expected to take of a thread, ms. A guess: flows are charged with what it was when it is known. */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;

type RunSettings = Parameters<Engine['run']>[1];

/** A request as the line knows it. */
interface Asking {
  readonly flow: Flow;
  readonly place: Place;
  readonly as: Refused;
  readonly bodyBytes: number;
  /** Set with its first piece of work; what was taken in is not refused half-way. */
  admitted: boolean;
  /** Pieces of work that wait or run. */
  unfinished: number;
}

/** A piece of work that waits; its items are expected ms. */
interface WaitingWork extends Sized {
  /** Undefined when nobody wants it any more. */
  begin: ((picked: Picked<WaitingWork>) => void) | undefined;
}

/** Work of one level, as gauges show it. */
export type LineDepth = Readonly<Record<Level, { readonly waiting: number; readonly running: number }>>;

/**
 * The line before the engine for all work that is no chunk: judging definitions, reading YAML, explaining, matrices, what-if. Which piece is next
 * is decided by flow (docs/flow-control.md) when the engine has room. Such work is not cut to a length that is known beforehand; so a flow never
 * has all threads, even where nobody else waits, but for one that is exempt or where there is only one.
 */
@Injectable()
export class EngineLine {
  readonly #fair = new FairQueue<WaitingWork>();
  readonly #load = new FlowLoad();
  #running = 0;
  #opened = 0;

  constructor(
    @Inject(EngineHost) private readonly host: Engine,
    @Inject(API_CONFIG) private readonly config: Pick<ApiConfig, 'queueLimits'>,
    private readonly refusals: Refusals,
  ) {}

  /**
   * The engine as one request sees it. Its first `run` rejects with the 429 where the line, or the flow's part of it, is full; later ones are
   * taken. `bodyBytes`: what the request keeps in memory while it is in the line.
   */
  open(flow: Flow, as: Refused, bodyBytes: number): Engine {
    const place = placeOf({ id: String(this.#opened++), createdAt: Date.now(), flow });
    const asking: Asking = { flow, place, as, bodyBytes, admitted: false, unfinished: 0 };
    return { threads: this.host.threads, run: (work, settings) => this.#run(asking, work, settings) };
  }

  /** Pieces of work by level; a running one may still wait for a thread that runs a chunk. */
  get depth(): LineDepth {
    const depth = LEVELS.map((level) => [level, { waiting: this.#load.waiting(level), running: this.#fair.running(level) }]);
    return Object.fromEntries(depth) as LineDepth;
  }

  /** Pieces of work that wait. */
  get waiting(): number {
    return this.#load.total.chunks;
  }

  async #run(asking: Asking, work: Work, settings: RunSettings): Promise<RunAnswer> {
    const signal = settings?.signal;
    if (signal?.aborted) return { kind: 'cancelled' };
    this.#enter(asking);
    const { place } = asking;
    const [queuedAt, bytes] = [performance.now(), bytesOf(work)];
    return new Promise((resolve) => {
      const leave = (): void => {
        entry.begin = undefined;
        this.#load.add(place, { chunks: -1, bytes: -bytes });
        this.#leave(asking);
        resolve({ kind: 'cancelled' });
      };
      const begin = (picked: Picked<WaitingWork>): void => {
        signal?.removeEventListener('abort', leave);
        this.#load.add(place, { chunks: -1, bytes: -bytes });
        counters.dispatchedWork.add(1, { level: place.level });
        histograms.workWaitSeconds.record((performance.now() - queuedAt) / 1000, { level: place.level });
        void this.#occupy(asking, picked, () => this.host.run(work, settings)).then(resolve);
      };
      const entry: WaitingWork = { items: expectedMs(work), bytes: 0, begin };
      signal?.addEventListener('abort', leave, { once: true });
      this.#load.add(place, { chunks: 1, bytes });
      this.#fair.enqueue(place, entry);
      this.#dispatch();
    });
  }

  /** Throws the 429 of a request that comes when there is no room. */
  #enter(asking: Asking): void {
    const { flow, place, as, bodyBytes } = asking;
    const refusal = asking.admitted ? undefined : this.#load.refusesEvaluation(place, flow, this.config.queueLimits);
    if (refusal) throw this.refusals.refuse(flow.level, refusal, as);
    asking.admitted = true;
    if (asking.unfinished++ > 0) return;
    this.#load.add(place, { evaluations: 1, bytes: bodyBytes });
    this.#fair.add(place, 1);
  }

  #leave(asking: Asking): void {
    const { place, bodyBytes } = asking;
    if (--asking.unfinished > 0) return;
    this.#load.add(place, { evaluations: -1, bytes: -bodyBytes });
    // Of what it still has in line, nothing is wanted.
    this.#fair.remove(place);
  }

  /** Gives the engine as much as it has threads. */
  #dispatch(): void {
    const { threads } = this.host;
    while (this.#running < threads) {
      const picked = this.#fair.pick(seatsPerFlow(threads), Math.max(1, threads - 1));
      if (!picked) return;
      if (picked.entry.begin) picked.entry.begin(picked);
      else this.#fair.finish(picked, 0);
    }
  }

  async #occupy(asking: Asking, picked: Picked<WaitingWork>, run: () => Promise<RunAnswer>): Promise<RunAnswer> {
    this.#running++;
    const started = performance.now();
    const answer = await run();
    this.#running--;
    this.#fair.finish(picked, performance.now() - started);
    this.#leave(asking);
    this.#dispatch();
    return answer;
  }
}

function expectedMs(work: Work): number {
  if (work.kind === 'documents') return work.bytes.length / 1e4;
  return 'items' in work ? OBJECT_MS * work.items.ends.length : DEFINITION_MS;
}

/** Bytes that wait with it. */
function bytesOf(work: Work): number {
  // The body itself, which is counted with its request.
  if (work.kind === 'documents') return 0;
  return 'items' in work ? work.items.bytes.length : 0;
}
