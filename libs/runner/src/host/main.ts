import type { DefinitionText } from '#evaluation';
import type { HostReply, HostRequest, Work } from '../protocol.ts';
import { RUN_LIMITS } from '../limits.ts';
import { Outbox } from '../outbox.ts';
import { ThreadSlot } from './thread-slot.ts';

/**
 * The engine host: a process between the service and the threads. `resourceLimits` do not contain a hostile chunk (a growing Map aborts the
 * whole process), so the process that may be aborted is this one, and it holds nothing but threads and definition texts.
 */
const texts = new Map<string, DefinitionText>();
const [threads, threadHeapMb] = process.argv.slice(2).map(Number);
const slots = Array.from({ length: threads ?? 1 }, () => new ThreadSlot(texts, threadHeapMb ?? RUN_LIMITS.threadHeapMb));
const running = new Map<number, ThreadSlot>();
/** Work in hand: what runs when a thread is idle again, in order. */
const inHand: { readonly id: number; readonly work: Work }[] = [];

// Replies that cannot be sent have lost their reader: the service is gone, and `disconnect` follows.
const replies = new Outbox<HostReply>((all) => void process.send?.(all, undefined, undefined, () => undefined));

async function run(id: number, work: Work): Promise<void> {
  const slot = slots.find((candidate) => candidate.idle);
  if (!slot) return void inHand.push({ id, work });
  running.set(id, slot);
  const started = performance.now();
  const answer = await slot.run(work);
  const spentMs = performance.now() - started;
  running.delete(id);
  if (answer.kind === 'done') replies.post({ type: 'done', id, result: answer.result, spentMs });
  else if (answer.kind === 'terminated') replies.post({ type: 'terminated', id, spentMs });
  else replies.post({ type: 'broken', id, breakage: answer.breakage, detail: answer.detail, spentMs });
  const following = inHand.shift();
  if (following) void run(following.id, following.work);
}

function cancel(id: number): void {
  const waiting = inHand.findIndex((one) => one.id === id);
  if (waiting < 0) return running.get(id)?.cancel();
  inHand.splice(waiting, 1);
  replies.post({ type: 'terminated', id, spentMs: 0 });
}

/** Keeps a text in a buffer of its own: the message it came in would otherwise live as long. */
function keep(definition: DefinitionText): void {
  const { bytes, notation } = definition.slice;
  texts.set(definition.digest, { ...definition, slice: { bytes: bytes.slice(), notation } });
}

function hear(request: HostRequest): void {
  if (request.type === 'run') void run(request.id, request.work);
  else if (request.type === 'cancel') cancel(request.id);
  else if (request.type === 'define') keep(request.definition);
  else texts.delete(request.digest);
}

process.on('message', (requests: readonly HostRequest[]) => requests.forEach(hear));
process.on('disconnect', () => process.exit(0));
replies.post({ type: 'ready' });
