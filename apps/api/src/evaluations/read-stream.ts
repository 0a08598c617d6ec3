import { badRequestStatus, MAX_BODY_BYTES, tooLargeStatus } from '#kube';
import { LineTooLong, splitEnvelope, splitLines } from '#evaluation';
import type { DocumentSlice, Envelope } from '#evaluation';
import { checkItemCount } from '#service';
import type { ClientLimits } from '../access/client.ts';
import { requirePassed } from '../answer-outcome.ts';
import { StatusFailure } from '../status.filter.ts';

/** An item may hold an object, an old object and the words around them. */
const MAX_LINE_BYTES = 2 * MAX_BODY_BYTES + 64 * 1024;

/** Reads the first line of an NDJSON body as the envelope; the items follow block by block while the client still sends. */
export async function readStream(
  body: AsyncIterable<Buffer>,
  limits: ClientLimits,
): Promise<{ head: Envelope; blocks: AsyncGenerator<DocumentSlice[]> }> {
  const lines = splitLines(counted(body, limits.maxStreamBytes), MAX_LINE_BYTES);
  const first = await lines.next().catch((error: unknown) => {
    throw error instanceof LineTooLong ? new StatusFailure(tooLargeStatus(error.message)) : error;
  });
  const [envelope, ...rest] = first.done ? [] : first.value;
  if (!envelope)
    throw new StatusFailure(badRequestStatus('the body is empty: its first line must be the envelope, {"definitions":[…],"options":{…}}'));
  const cut = splitEnvelope(envelope);
  if (!cut.ok) throw new StatusFailure(cut.status);
  if (cut.value.objects.length > 0)
    throw new StatusFailure(badRequestStatus('the first line of an NDJSON body has no objects: they follow, one a line'));
  return { head: cut.value, blocks: slices(rest, lines, limits) };
}

async function* slices(
  rest: readonly Uint8Array[],
  lines: AsyncGenerator<Uint8Array[]>,
  limits: ClientLimits,
): AsyncGenerator<DocumentSlice[]> {
  let items = rest.length;
  requirePassed(checkItemCount(items, limits));
  if (rest.length > 0) yield rest.map(asSlice);
  for await (const block of lines) {
    items += block.length;
    requirePassed(checkItemCount(items, limits));
    yield block.map(asSlice);
  }
}

const asSlice = (bytes: Uint8Array): DocumentSlice => ({ bytes, notation: 'json' });

async function* counted(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const block of body) {
    bytes += block.length;
    if (bytes > maxBytes) throw new StatusFailure(tooLargeStatus(`limit is ${maxBytes}`));
    yield block;
  }
}
