import type { ChunkResult, DefinitionText } from '#documents';
import { packItems, unpackItems } from '#runner';
import type { OfferAnswer, OfferedTask, PackedItems, Work } from '#runner';
import type { Sealing } from '../at-rest/sealing.ts';
import { packedResult, unpackedResult } from '../life/packed-forms.ts';
import type { PackedResult } from '../life/packed-forms.ts';
import { packStored, unpackStored } from './packing.ts';

type EvaluateWork = Extract<Work, { kind: 'evaluate' }>;

/** Offered task in the form in which Redis stores it. The texts of definitions are stored separately, by digest. */
type PackedTask = Omit<OfferedTask, 'definitions' | 'work'> & { readonly digests: readonly string[] } & (
    | { readonly work: Exclude<Work, EvaluateWork> }
    | { readonly work: Omit<EvaluateWork, 'items'>; readonly items: PackedItems }
  );

/** Task that another process offers, and the digests of the texts to which its work refers. */
type UnpackedTask = Omit<OfferedTask, 'definitions'> & { readonly digests: readonly string[] };

/** Packs and encrypts an offered task for storage in Redis. */
export function packTask(sealing: Sealing, task: Omit<OfferedTask, 'definitions'>, definitions: readonly DefinitionText[]): Buffer {
  const { work, ...rest } = task;
  const digests = definitions.map(({ digest }) => digest);
  const packed: PackedTask = work.kind === 'evaluate' ? { ...rest, digests, ...packedRun(work) } : { ...rest, digests, work };
  return packStored(sealing, 'task', packed);
}

/** Returns a task that {@link packTask} packed. Throws {@link UnreadableContent} if other software wrote the bytes. */
export function unpackTask(sealing: Sealing, stored: Buffer): UnpackedTask {
  const packed = unpackStored<PackedTask>(sealing, 'task', stored, 'work');
  if (!('items' in packed)) return packed;
  const { items, work, ...rest } = packed;
  return { ...rest, work: { ...work, items: unpackItems(items) } };
}

function packedRun({ items, ...work }: EvaluateWork): { work: Omit<EvaluateWork, 'items'>; items: PackedItems } {
  return { work, items: packItems(items) };
}

/** Packs and encrypts the answer to an offered task for storage in Redis. */
export function packAnswer(sealing: Sealing, answer: OfferAnswer): Buffer {
  const packed = answer.kind === 'done' && isRunResult(answer.result) ? { ...answer, result: packedResult(answer.result) } : answer;
  return packStored(sealing, 'answer', packed);
}

/** Returns an answer that {@link packAnswer} packed. Throws {@link UnreadableContent} if other software wrote the bytes. */
export function unpackAnswer(sealing: Sealing, stored: Buffer): OfferAnswer {
  const packed = unpackStored<OfferAnswer>(sealing, 'answer', stored, 'kind');
  if (packed.kind !== 'done') return packed;
  const { result }: { readonly result: unknown } = packed;
  return isPackedResult(result) ? { ...packed, result: unpackedResult(result) } : packed;
}

const isRunResult = (result: unknown): result is ChunkResult => typeof result === 'object' && result !== null && 'verdicts' in result;
const isPackedResult = (result: unknown): result is PackedResult => typeof result === 'object' && result !== null && 'text' in result;
