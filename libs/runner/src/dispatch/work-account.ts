import { byLevel, FlowLoad } from '../flow/index.ts';
import type { BatchSize, Level, QueueKey, Flow, PickedEntry, SizedEntry } from '../flow/index.ts';
import type { LevelGauges } from '#telemetry';
import { chunkBytes } from '#documents';
import type { Work } from '../protocol.ts';

/**
 * Expected time on a thread for one definition and for one object, in ms. When the work is done, the measured time corrects the time that
 * is charged for it.
 */
const DEFINITION_MS = 20;
const OBJECT_MS = 0.2;
/** Number of bytes of YAML that a thread parses in one ms. */
const YAML_BYTES_PER_MS = 1e4;

/** Owner of waiting work: a request, or a run of a batch. */
type WorkOwner = { readonly kind: 'request' } | RunOwner;

/** Run of a batch. */
export interface RunOwner {
  readonly kind: 'run';
  /** True if no other task may wait behind the run in the engine. */
  readonly isAlone: boolean;
  /** Origin of the run: a request of this process, a stored job, or an offer of another process. */
  readonly origin: 'request' | 'job' | 'offer';
  /** Digest of the definition whose price the run teaches. */
  readonly priced: string | undefined;
  /** False if the run must not be offered to other processes. */
  readonly mayLeave: boolean;
  /** Flow that is charged for the texts of an offered run; undefined if the texts are already stored for other processes. */
  readonly holder: Flow | undefined;
}

/** Turn of work that waited: the entry that was picked, and whether it runs in this process or is offered to other processes. */
export interface Turn {
  readonly picked: PickedEntry<WaitingWork>;
  readonly place: 'here' | 'elsewhere';
}

/** Entry of the fair queue: work of a request, or a run of a batch. */
export class WaitingWork implements SizedEntry {
  /** Number of items of a run. For other work, the expected time in ms, which the fair queue counts like items of 1 ms each. */
  readonly items: number;
  readonly owner: WorkOwner;
  /** Number of bytes from which the fair queue estimates the time of a run, and 0 for other work. */
  readonly bytes: number;
  /** Size in bytes of the objects that wait with the work. */
  readonly heldBytes: number;
  readonly queuedAt = performance.now();
  /** True if another process may perform the work. */
  readonly mayLeave: boolean;
  #settle: ((turn: Turn | undefined) => void) | undefined;

  /**
   * @param isLone true if the work must run while the engine runs no other work
   * @param settle is called once: with the turn of the work, or without an argument if the work's request ends first
   */
  constructor(work: Work, owner: WorkOwner, isLone: boolean, settle: (turn: Turn | undefined) => void) {
    this.owner = owner;
    this.heldBytes = bytesOf(work);
    const isRun = owner.kind === 'run' && work.kind === 'evaluate';
    this.items = isRun ? work.items.length : expectedMs(work);
    this.mayLeave = isRun && owner.mayLeave && !owner.isAlone && !isLone;
    this.bytes = isRun ? this.heldBytes : 0;
    this.#settle = settle;
  }

  /** Ends the wait. Returns false if the wait had already ended. */
  settle(turn?: Turn): boolean {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(turn);
    return settle !== undefined;
  }
}

function expectedMs(work: Work): number {
  if (work.kind === 'documents') return work.bytes.length / YAML_BYTES_PER_MS;
  if (work.kind === 'evaluate') return OBJECT_MS * work.items.length;
  return 'items' in work ? OBJECT_MS * work.items.ends.length : DEFINITION_MS;
}

/** Returns the size in bytes of the objects that the work contains. */
function bytesOf(work: Work): number {
  if (work.kind === 'evaluate') return chunkBytes(work.items);
  return 'items' in work ? work.items.bytes.length : 0;
}

/** Number of tasks, in total and by level. */
class LevelCount {
  readonly #levels: Record<Level, number> = { ...byLevel(() => 0) };
  total = 0;

  add(level: Level, tasks: number): void {
    this.#levels[level] += tasks;
    this.total += tasks;
  }

  of(level: Level): number {
    return this.#levels[level];
  }
}

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
