import type { DefinitionText } from '#evaluation';
import type { HostReply, HostRequest, Work } from '../protocol.ts';
import { RUN_LIMITS } from '../limits.ts';
import { ThreadSlot } from './thread-slot.ts';

/**
 * The engine host: a process between the service and the threads. `resourceLimits` do not contain a hostile chunk (a growing Map aborts the
 * whole process), so the process that may be aborted is this one, and it holds nothing but threads and definition texts.
 */
const texts = new Map<string, DefinitionText>();
const [threads, threadHeapMb] = process.argv.slice(2).map(Number);
const slots = Array.from({ length: threads ?? 1 }, () => new ThreadSlot(texts, threadHeapMb ?? RUN_LIMITS.threadHeapMb));
const running = new Map<number, ThreadSlot>();

// A reply that cannot be sent has lost its reader: the service is gone, and `disconnect` follows.
const tell = (reply: HostReply): void => void process.send?.(reply, undefined, undefined, () => undefined);

async function run(id: number, work: Work): Promise<void> {
  const slot = slots.find((candidate) => candidate.idle);
  if (!slot) return tell({ type: 'broken', id, breakage: 'engine error', detail: 'no idle thread' });
  running.set(id, slot);
  const answer = await slot.run(work);
  running.delete(id);
  if (answer.kind === 'done') tell({ type: 'done', id, result: answer.result });
  else if (answer.kind === 'terminated') tell({ type: 'terminated', id });
  else tell({ type: 'broken', id, breakage: answer.breakage, detail: answer.detail });
}

/** Keeps a text in a buffer of its own: the message it came in would otherwise live as long. */
function keep(definition: DefinitionText): void {
  const { bytes, notation } = definition.slice;
  texts.set(definition.digest, { ...definition, slice: { bytes: bytes.slice(), notation } });
}

process.on('message', (request: HostRequest) => {
  if (request.type === 'run') void run(request.id, request.work);
  else if (request.type === 'cancel') running.get(request.id)?.cancel();
  else if (request.type === 'define') keep(request.definition);
  else texts.delete(request.digest);
});
process.on('disconnect', () => process.exit(0));
tell({ type: 'ready' });
