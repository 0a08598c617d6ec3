import { Socket } from 'node:net';
import { deserialize } from 'node:v8';
import type { DefinitionText } from '#documents';
import { contentOf, FRAME, FrameReader, HOST_PIPE } from '../frames/frame.ts';
import { FrameOutbox } from '../frames/frame-outbox.ts';
import type { HostRequest } from '../protocol.ts';
import { RUN_LIMITS } from '../limits.ts';
import { backgroundThreads, UrgentWork } from '../urgent-work.ts';
import { ThreadPool } from './thread-pool.ts';
import type { Task, SlotAnswer } from './thread-slot.ts';

/** Maximum number of bytes that are read from the pipe at once. */
const READ_BYTES = 256 * 1024;

/**
 * Engine host: a process between the service and the threads. `resourceLimits` of threads cannot contain every hostile chunk, because a
 * growing Map aborts the whole process. This process therefore contains only threads and definition texts.
 */
class HostProcess {
  readonly #texts = new Map<string, DefinitionText>();
  readonly #pool: ThreadPool<Task>;
  /**
   * Threads for work of low priority. There is one thread less than for regular work, but at least one. The threads start with the first
   * work of low priority.
   */
  readonly #background: ThreadPool<Task>;
  /** Tasks that are not answered yet. */
  readonly #open = new Map<number, Task>();
  readonly #outbox: FrameOutbox;

  constructor(threads: number, threadHeapMb: number) {
    const settings = { threadHeapMb, texts: this.#texts, urgent: new UrgentWork() };
    this.#pool = new ThreadPool({ ...settings, threads });
    this.#background = new ThreadPool({ ...settings, threads: backgroundThreads(threads), background: true });
    for (let thread = 0; thread < threads; thread++) this.#pool.start();
    const reader = new FrameReader((...frame) => this.#onFrame(...frame), { keeps: true });
    const pipe = new Socket({
      fd: HOST_PIPE,
      readable: true,
      writable: true,
      onread: {
        buffer: Buffer.allocUnsafeSlow(READ_BYTES),
        callback: (length, buffer) => {
          reader.read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
          this.#pool.dispatch();
          this.#background.dispatch();
          return true;
        },
      },
    });
    // An error of the pipe means that the service has ended. The `close` event then ends this process.
    pipe.on('error', () => undefined);
    pipe.on('close', () => process.exit(0));
    this.#outbox = new FrameOutbox(pipe);
    this.#outbox.post({ type: 'ready' });
  }

  #onFrame(kind: number, id: number, block: Buffer, buffer: 'own' | 'reused'): void {
    if (kind === FRAME.evaluation) return this.#take(id, { work: buffer === 'own' ? block : Buffer.from(block) });
    // The message refers to parts of its buffer. If the reader reuses the buffer for later frames, the message gets a copy.
    const request = deserialize(buffer === 'own' ? contentOf(block) : Buffer.from(new Uint8Array(contentOf(block)).buffer)) as HostRequest;
    if (request.type === 'run') this.#take(request.id, request);
    else if (request.type === 'cancel') this.#cancel(request.id);
    else if (request.type === 'define') this.#keep(request.definition);
    else this.#texts.delete(request.digest);
  }

  #take(id: number, { work, background = false }: Pick<Task, 'work' | 'background'>): void {
    const task: Task = { work, background, settle: (answer) => this.#answer(id, answer) };
    this.#open.set(id, task);
    this.#poolOf(task).take(task);
  }

  #poolOf({ background }: Task): ThreadPool<Task> {
    return background === true ? this.#background : this.#pool;
  }

  #cancel(id: number): void {
    const task = this.#open.get(id);
    if (task) this.#poolOf(task).cancel(task);
  }

  #answer(id: number, answer: SlotAnswer): void {
    this.#open.delete(id);
    if (answer.kind === 'evaluated') this.#outbox.postContent(FRAME.evaluation, id, answer.answer);
    else {
      const { kind: type, ...rest } = answer;
      this.#outbox.post({ type, id, ...rest });
    }
  }

  /**
   * Copies a text into a separate buffer and stores it. Without the copy, the whole message that contained the text would stay in memory.
   */
  #keep(definition: DefinitionText): void {
    const { bytes, notation } = definition.slice;
    this.#texts.set(definition.digest, { ...definition, slice: { bytes: bytes.slice(), notation } });
  }
}

const [threads = 1, threadHeapMb = RUN_LIMITS.threadHeapMb] = process.argv.slice(2).map(Number);
void new HostProcess(threads, threadHeapMb);
