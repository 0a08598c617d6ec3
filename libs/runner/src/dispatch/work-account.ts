import { byLevel, FlowLoad } from '../flow/index.ts';
import type { BatchSize, Level, QueueKey } from '../flow/index.ts';
import type { LevelGauges } from '#telemetry';
import { LevelCount } from './level-count.ts';
import type { WaitingWork, WorkOwner } from './waiting-work.ts';

/** Position in the queue, the owner of the work that waits there, and the account of runs that are counted before they wait. */
export interface Position<Owner extends WorkOwner = WorkOwner> {
  readonly queueKey: QueueKey;
  readonly owner: Owner;
  readonly reserved?: { runs: number; bytes: number };
}

/** Numbers of waiting and running tasks by level, and the number of bytes that wait with them. */
export interface DispatcherDepth {
  readonly waiting: number;
  readonly waitingBytes: number;
  readonly levels: Readonly<Record<Level, LevelGauges>>;
}

/** Account of all work that waits in this process or runs for it, of requests and of runs of batches. */
export class WorkAccount {
  /** Account of all waiting work by flow. It decides which requests are refused. */
  readonly load: FlowLoad;
  readonly #waitingRequests = new LevelCount();
  readonly #running = { request: new LevelCount(), run: new LevelCount() };
  /** Number of bytes of bodies of admitted requests, and of objects in their waiting work. */
  #requestBytes = 0;

  constructor(load = new FlowLoad()) {
    this.load = load;
  }

  /** Depth of the work of requests. Tasks that wait inside the engine count as running. */
  get requests(): DispatcherDepth {
    const levels = byLevel((level) => ({ waiting: this.#waitingRequests.of(level), running: this.#running.request.of(level) }));
    return { waiting: this.#waitingRequests.total, waitingBytes: this.#requestBytes, levels };
  }

  /** Depth of the runs of batches, also of the parts of jobs that are stored in this process. */
  get runs(): DispatcherDepth {
    const { total } = this.load;
    const waitingOf = (level: Level): number => this.load.waiting(level) - this.#waitingRequests.of(level);
    const levels = byLevel((level) => ({ waiting: waitingOf(level), running: this.#running.run.of(level) }));
    return { waiting: total.chunks - this.#waitingRequests.total, waitingBytes: total.bytes - this.#requestBytes, levels };
  }

  /** Counts an admitted request with the bytes of its body, or removes it. */
  addRequest(queueKey: QueueKey, bodyBytes: number, by: 1 | -1): void {
    this.load.add(queueKey, { evaluations: by, bytes: by * bodyBytes });
    this.#requestBytes += by * bodyBytes;
  }

  /** Counts a batch and its runs that do not wait yet, or removes them. */
  reserve(queueKey: QueueKey, { runs, bytes }: BatchSize, by: 1 | -1): void {
    this.load.add(queueKey, { evaluations: by, chunks: by * runs, bytes: by * bytes });
  }

  /**
   * Counts waiting work, or removes it. A run of a whole batch was already counted when the batch was opened. The storage of a job counts
   * the runs of the job.
   */
  addWaiting({ queueKey, owner, reserved }: Position, entry: WaitingWork, by: 1 | -1): void {
    if (owner.kind === 'run' && owner.origin === 'job') return;
    if (by === 1 && reserved !== undefined && reserved.runs > 0) {
      reserved.runs -= 1;
      const known = Math.min(reserved.bytes, entry.heldBytes);
      reserved.bytes -= known;
      return this.load.add(queueKey, { bytes: entry.heldBytes - known });
    }
    this.load.add(queueKey, { chunks: by, bytes: by * entry.heldBytes });
    if (owner.kind === 'run') return;
    this.#waitingRequests.add(queueKey.level, by);
    this.#requestBytes += by * entry.heldBytes;
  }

  /** Counts a running task, or removes it. */
  addRunning({ kind }: WorkOwner, level: Level, by: 1 | -1): void {
    this.#running[kind].add(level, by);
  }
}
