import { Socket } from 'node:net';
import { deserialize } from 'node:v8';
import type { DefinitionText } from '#evaluation';
import { isSmall } from '../frames/evaluation-frame.ts';
import { contentOf, FRAME, FrameReader } from '../frames/frame.ts';
import { FrameOutbox } from '../frames/frame-outbox.ts';
import { HOST_PIPE } from '../host-pipe.ts';
import type { HostReply, HostRequest } from '../protocol.ts';
import { RUN_LIMITS } from '../limits.ts';
import { ThreadSlot } from './thread-slot.ts';
import type { Piece, SlotAnswer } from './thread-slot.ts';

/**
 * The engine host: a process between the service and the threads. `resourceLimits` do not contain a hostile chunk (a growing Map aborts the
 * whole process), so the process that may be aborted is this one, and it holds nothing but threads and definition texts.
 */
const texts = new Map<string, DefinitionText>();
const [threads, threadHeapMb] = process.argv.slice(2).map(Number);
const slots = Array.from(
  { length: threads ?? 1 },
  () => new ThreadSlot<Taken>(texts, threadHeapMb ?? RUN_LIMITS.threadHeapMb, { freed: dispatch, gaveBack }),
);
/** A piece of work that was taken from the service and is not answered yet. */
interface Taken extends Piece {
  readonly id: number;
  /** The slot that has it; undefined: it is in hand. */
  slot: ThreadSlot<Taken> | undefined;
}
const open = new Map<number, Taken>();
/** Work in hand: what runs when a thread is idle again, in order. */
let inHand: Taken[] = [];

/** What one read of the pipe brings, bytes. */
const READ_BYTES = 256 * 1024;
const reader = new FrameReader(hear, { keeps: true });
const pipe = new Socket({
  fd: HOST_PIPE,
  readable: true,
  writable: true,
  onread: {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback: (length, buffer) => {
      reader.read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      dispatch();
      return true;
    },
  },
});
const outbox = new FrameOutbox(pipe);
const reply = (message: HostReply): void => outbox.post(message);

function take(id: number, work: Piece['work']): void {
  const taken: Taken = { id, work, slot: undefined, settle: (answer) => settle(id, answer) };
  open.set(id, taken);
  inHand.push(taken);
}

/** Gives idle threads what waits, in turn: one piece, or all small ones that follow each other. */
function dispatch(): void {
  while (inHand.length > 0) {
    const slot = slots.find((candidate) => candidate.idle);
    if (!slot) return;
    const pieces = inHand.splice(0, givenAtOnce(inHand));
    for (const piece of pieces) piece.slot = slot;
    slot.run(pieces);
  }
}

/** How many pieces a thread is given at once. */
function givenAtOnce(waiting: readonly Piece[]): number {
  let small = 0;
  for (const { work } of waiting) {
    if (!(work instanceof Uint8Array) || !isSmall(work) || small === RUN_LIMITS.smallPieces) break;
    small++;
  }
  return Math.max(small, 1);
}

function gaveBack(pieces: readonly Taken[]): void {
  for (const piece of pieces) piece.slot = undefined;
  inHand.unshift(...pieces);
  dispatch();
}

function settle(id: number, answer: SlotAnswer): void {
  open.delete(id);
  if (answer.kind === 'evaluated') outbox.postContent(FRAME.evaluation, id, answer.answer);
  else if (answer.kind === 'done') reply({ type: 'done', id, result: answer.result, spentMs: answer.spentMs });
  else if (answer.kind === 'terminated' || answer.kind === 'stuck') reply({ type: answer.kind, id, spentMs: answer.spentMs });
  else reply({ type: 'broken', id, breakage: answer.breakage, detail: answer.detail, spentMs: answer.spentMs });
}

function cancel(id: number): void {
  const one = open.get(id);
  if (one === undefined) return;
  if (one.slot) return one.slot.cancel(one);
  inHand = inHand.filter((waiting) => waiting !== one);
  settle(id, { kind: 'terminated', spentMs: 0 });
}

/** Keeps a text in a buffer of its own: the message it came in would otherwise live as long. */
function keep(definition: DefinitionText): void {
  const { bytes, notation } = definition.slice;
  texts.set(definition.digest, { ...definition, slice: { bytes: bytes.slice(), notation } });
}

function hear(holds: number, id: number, block: Buffer, own: boolean): void {
  if (holds === FRAME.evaluation) return take(id, own ? block : Buffer.from(block));
  // Bytes in a message are views of it, so it gets a buffer of its own.
  const request = deserialize(own ? contentOf(block) : Buffer.from(new Uint8Array(contentOf(block)).buffer)) as HostRequest;
  if (request.type === 'run') take(request.id, request.work);
  else if (request.type === 'cancel') cancel(request.id);
  else if (request.type === 'define') keep(request.definition);
  else texts.delete(request.digest);
}

// The service is gone; what cannot be written has lost its reader.
pipe.on('error', () => undefined);
pipe.on('close', () => process.exit(0));
reply({ type: 'ready' });
