import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { Cancelled } from '#go';
import { contentOf, LENGTH_BYTES } from '../frames/frame.ts';
import { AnswerWriter } from '../frames/answer-frame.ts';
import { EvaluationReader } from '../frames/evaluation-frame.ts';
import { packDocuments } from '../pack-items.ts';
import { PieceBoard } from '../piece-board.ts';
import type { SharedBoard } from '../piece-board.ts';
import type { DocumentList, EvaluateWork, OtherResult, OtherWork, PackedDocuments, ThreadReply, ThreadRequest, Work } from '../protocol.ts';
import { cutDocuments } from './cut-documents.ts';
import { WorkPerformer } from './perform.ts';

/** Answers wait on the board for those of the next pieces no longer than this, ms, where the thread is not in the middle of one. */
const TELL_MS = 1;

/** The only place where the engine is loaded: one piece of work after the other, each stoppable through the board. */
const board = new PieceBoard(workerData as SharedBoard);
const token = board.token();
const performer = new WorkPerformer(() => getHeapStatistics().used_heap_size);
const reader = new EvaluationReader();
const writer = new AnswerWriter();

/** What the thread was given, and the place of the piece that runs or is next. */
let given: readonly (Buffer | OtherWork)[] = [];
let place = 0;
/** The piece that waits for definitions, or for code. */
let pending: Work | undefined;
let begunAt = 0;
let toldAt = 0;

parentPort?.on('message', (request: ThreadRequest) => {
  if (request instanceof ArrayBuffer) begin(blocksIn(Buffer.from(request)));
  else if (request.type === 'work') begin([request.work]);
  else if (request.type === 'end') parentPort?.close();
  else goOn(() => request.definitions.forEach((text) => performer.compile(text, token)));
});

/** Takes a step for the piece that waits, then finishes it and all that is left of what was given. */
function goOn(step: () => void): void {
  attempt(() => {
    step();
    if (pending) finish(pending);
  });
  place++;
  proceed();
}

function tell(reply: ThreadReply, moved: ArrayBuffer[] = []): void {
  toldAt = performance.now();
  parentPort?.postMessage(reply, moved);
}

function begin(pieces: readonly (Buffer | OtherWork)[]): void {
  board.wipe();
  given = pieces;
  place = 0;
  toldAt = performance.now();
  proceed();
}

/** Runs what is left of what was given, as far as the definitions for it are there. */
function proceed(): void {
  for (; place < given.length; place++) {
    if (!board.begin(place)) continue;
    token.follow(place);
    begunAt = performance.now();
    if (begunAt - toldAt > TELL_MS) tell('look');
    if (!attempt(start)) return;
  }
  given = [];
  tell('idle');
}

/** Runs a step of the piece; where it throws, that is the answer. False when the step waits for definitions. */
function attempt(step: () => void): boolean {
  try {
    step();
    return pending === undefined;
  } catch (error) {
    pending = undefined;
    const spentMs = performance.now() - begunAt;
    if (error instanceof Cancelled) tell({ type: 'stopped', piece: place, spentMs });
    else tell({ type: 'error', piece: place, detail: whereItFailed(error), spentMs });
    board.end(place);
    return true;
  }
}

/** Kind and place of an error, for the log. Not its words: V8's quote keys and values of what was judged. */
function whereItFailed(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames].join('\n');
}

/** Starts a piece; definitions that the cache lacks are asked for first. */
function start(): void {
  const one = given[place];
  if (one === undefined) return;
  const work = one instanceof Uint8Array ? reader.read(contentOf(one)) : one;
  const missing = performer.missing(work);
  const loading = performer.load(work);
  if (missing.length === 0 && loading === undefined) return finish(work);
  pending = work;
  if (loading === undefined) return tell({ type: 'need', digests: missing });
  loading.then(
    () => goOn(() => undefined),
    (error: unknown) =>
      goOn(() => {
        throw error;
      }),
  );
}

function finish(work: Work): void {
  pending = undefined;
  if (work.kind === 'evaluate') answerEvaluation(work);
  else tell({ type: 'done', piece: place, result: resultOf(work), spentMs: performance.now() - begunAt });
  board.end(place);
}

function answerEvaluation(work: EvaluateWork): void {
  const result = performer.perform(work, token);
  const answer = writer.write(result, performance.now() - begunAt);
  if (board.leave(place, answer)) return;
  const bytes = new Uint8Array(answer).buffer;
  tell({ type: 'evaluated', piece: place, answer: bytes }, [bytes]);
}

const resultOf = (work: OtherWork): OtherResult =>
  work.kind === 'documents' ? packed(cutDocuments(work.bytes, work.lines, work.limits, token)) : performer.perform(work, token);

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
