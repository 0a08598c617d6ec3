import type { MessagePort } from 'node:worker_threads';
import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { contentOf, LENGTH_BYTES } from '../frames/frame.ts';
import { AnswerWriter, EvaluationReader } from '../frames/evaluation-frame.ts';
import { packDocuments } from '../pack-items.ts';
import type { CancellationBoard } from '../cancellation-board.ts';
import type { DocumentList, EvaluateWork, OtherResult, OtherWork, PackedDocuments, ThreadReply, ThreadRequest, Work } from '../protocol.ts';
import { PausingToken } from '../urgent-work.ts';
import type { UrgentWork } from '../urgent-work.ts';
import type { WorkPerformer } from './perform.ts';

/**
 * Minimum time in ms between two notices from a thread to its owner. A notice says that the board, which is memory that both share, contains answers.
 * While a task runs, the notice may be later.
 */
const REPLY_MS = 1;

/**
 * Runner of the tasks that a worker thread receives. It runs tasks one after another. The thread that started the worker can stop each task
 * through the board, a memory that both threads share.
 */
export class TaskRunner {
  readonly #port: MessagePort;
  readonly #board: CancellationBoard;
  readonly #token: ReturnType<CancellationBoard['token']>;
  readonly #performer: WorkPerformer;
  readonly #urgent: UrgentWork;
  readonly #reader = new EvaluationReader();
  readonly #writer = new AnswerWriter();
  /** Tasks that the thread received together. */
  #given: readonly (Buffer | OtherWork)[] = [];
  /** Index of the running task, or of the next task if no task runs. */
  #index = 0;
  /** Task that waits for definitions or for code to be loaded. */
  #pending: Work | undefined;
  /** Cancellation token of the running task. For background work, the token may pause the thread. */
  #taskToken: CancellationToken;
  #begunAt = 0;
  #repliedAt = 0;

  constructor(
    port: MessagePort,
    { board, urgent }: { readonly board: CancellationBoard; readonly urgent: UrgentWork },
    performer: WorkPerformer,
  ) {
    this.#port = port;
    this.#board = board;
    this.#token = board.token();
    this.#taskToken = this.#token;
    this.#performer = performer;
    this.#urgent = urgent;
    this.#reply('ready');
  }

  /** Handles a message from the host. */
  onMessage(request: ThreadRequest): void {
    if (request instanceof ArrayBuffer) this.#begin(blocksIn(Buffer.from(request)), this.#token);
    else if (request.type === 'work')
      this.#begin([request.work], request.background ? new PausingToken(this.#token, this.#urgent) : this.#token);
    else if (request.type === 'end') this.#port.close();
    else this.#resume(() => request.definitions.forEach((text) => this.#performer.compile(text, this.#taskToken)));
  }

  #begin(tasks: readonly (Buffer | OtherWork)[], token: CancellationToken): void {
    this.#taskToken = token;
    this.#board.wipe();
    this.#repliedAt = performance.now();
    this.#given = tasks;
    this.#run(0);
  }

  /**
   * Runs `step`, which provides the definitions or code that the waiting task needs. Then finishes this task and runs the tasks after it.
   */
  #resume(step: () => void): void {
    this.#attempt(() => {
      step();
      if (this.#pending) this.#finish(this.#pending);
    });
    this.#run(this.#index + 1);
  }

  /** Runs tasks, beginning with index `from`, until one task must wait for definitions or code. */
  #run(from: number): void {
    for (this.#index = from; this.#index < this.#given.length; this.#index++) {
      if (this.#board.move(this.#index, 'begin') !== 'running') continue;
      this.#token.follow(this.#index);
      this.#begunAt = performance.now();
      if (this.#begunAt - this.#repliedAt > REPLY_MS) this.#reply('look');
      if (!this.#attempt(() => this.#start())) return;
    }
    this.#given = [];
    this.#reply('idle');
  }

  /** Runs a step of the current task. An error in the step becomes the answer to the task. Returns false if the task must wait. */
  #attempt(step: () => void): boolean {
    try {
      step();
      return this.#pending === undefined;
    } catch (error) {
      this.#pending = undefined;
      const outcome = { task: this.#index, spentMs: performance.now() - this.#begunAt };
      const isStopped = error instanceof Cancelled;
      this.#reply(isStopped ? { type: 'stopped', ...outcome } : { type: 'error', detail: whereItFailed(error), ...outcome });
      this.#board.move(this.#index, isStopped ? 'stop' : 'fail');
      return true;
    }
  }

  /** Starts the current task, or requests the definitions that the cache does not contain. */
  #start(): void {
    const one = this.#given[this.#index];
    if (one === undefined) return;
    const work = one instanceof Uint8Array ? this.#reader.read(contentOf(one)) : one;
    const missing = this.#performer.missing(work);
    const loading = this.#performer.load(work);
    if (missing.length === 0 && loading === undefined) return this.#finish(work);
    this.#pending = work;
    if (loading === undefined) return this.#reply({ type: 'need', digests: missing });
    loading.then(
      () => this.#resume(() => undefined),
      (error: unknown) =>
        this.#resume(() => {
          throw error;
        }),
    );
  }

  #finish(work: Work): void {
    this.#pending = undefined;
    if (work.kind === 'evaluate') this.#answerEvaluation(work);
    else this.#reply({ type: 'done', task: this.#index, result: this.#resultOf(work), spentMs: performance.now() - this.#begunAt });
    this.#board.move(this.#index, 'finish');
  }

  #answerEvaluation(work: EvaluateWork): void {
    const result = this.#performer.perform(work, this.#token);
    const answer = this.#writer.write(result, performance.now() - this.#begunAt);
    if (this.#board.leave(this.#index, answer)) return;
    const bytes = new Uint8Array(answer).buffer;
    this.#reply({ type: 'evaluated', task: this.#index, answer: bytes }, [bytes]);
  }

  #resultOf(work: OtherWork): OtherResult {
    if (work.kind !== 'documents') return this.#performer.perform(work, this.#taskToken);
    return packed(this.#performer.cut(work, this.#taskToken));
  }

  #reply(reply: ThreadReply, moved: ArrayBuffer[] = []): void {
    this.#repliedAt = performance.now();
    this.#port.postMessage(reply, moved);
  }
}

/**
 * Returns the class and the stack frames of an error for the log. The message is omitted because V8's messages quote keys and values of
 * judged objects.
 */
function whereItFailed(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}

function blocksIn(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + LENGTH_BYTES + bytes.readUInt32LE(at);
    blocks.push(bytes.subarray(at, end));
    at = end;
  }
  return blocks;
}

function packed({ status, ...lists }: DocumentList): PackedDocuments {
  const { definitions, policies, objects, types } = lists;
  return {
    definitions: packDocuments(definitions),
    policies: packDocuments(policies),
    objects: packDocuments(objects),
    types,
    ...(status && { status }),
  };
}
