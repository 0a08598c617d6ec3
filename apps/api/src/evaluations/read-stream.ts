import type { FastifyRequest } from 'fastify';
import { badRequestStatus, timeoutStatus, tooLargeStatus } from '#kube';
import type { Status } from '#kube';
import { LineTooLong, MAX_ITEM_BYTES, splitLines, steadyNow } from '#documents';
import type { CutResult, DocumentLimits, DocumentSlice, EvaluationOptions } from '#documents';
import { checkItemCount, deadlineOf } from '#service';
import type { ServiceLimits } from '#service';
import { clientOf } from '../access/client.ts';
import type { ClientLimits } from '../access/client.ts';
import { throwIfDeclined, StatusFailure } from '../status.filter.ts';
import type { ApiConfig } from '../config.ts';
import { ArrivingBody } from '../http/body-times.ts';
import { DEFAULT_OPTIONS, overridden } from './request-options.ts';
import type { readQuery } from './request-options.ts';

const NO_OBJECTS = badRequestStatus('the first line of an NDJSON body has no objects: they follow, one a line');

/**
 * Number of lines in a row that are no JSON objects, at which the service stops reading a body. A verdict is a hundred times as long as the
 * shortest such line.
 */
const MAX_STRANGE_LINES = 1000;

/** Function that splits the first line of an NDJSON body into the documents of an envelope. */
type CutHead<Head> = (bytes: Uint8Array, limits: DocumentLimits) => Promise<CutResult<Head>>;

/**
 * NDJSON request body that is still being received. It consists of the first line, the evaluation options, and the objects that follow the
 * first line.
 */
export interface ArrivingDocuments<Head> {
  readonly head: Head;
  readonly options: EvaluationOptions;
  /** Items of the body. The generator yields them block by block while the client is still sending. */
  readonly blocks: AsyncGenerator<DocumentSlice[]>;
  /** Time at which the first byte was read, in ms since the epoch, by {@link steadyNow}. */
  readonly receivedAt: number;
  /** Time by which the whole body must have arrived, in ms since the epoch. */
  readonly deadline: number;
}

/**
 * Reads the first line of an NDJSON body, and splits this line with `cutHead` into definitions and options. Options in `overrides` replace
 * the same options of the first line. Returns these parts together with the documents on the other lines, which may still arrive.
 */
export async function readStream<Head extends { readonly options: EvaluationOptions }>(
  request: FastifyRequest,
  config: Pick<ApiConfig, 'maxDefinitions' | 'idleBodyMs' | 'deadlineMs' | 'maxDeadlineMs'>,
  overrides: ReturnType<typeof readQuery>,
  cutHead: CutHead<Head>,
): Promise<ArrivingDocuments<Head>> {
  const receivedAt = steadyNow();
  const sentBy = deadlineOf(overridden(DEFAULT_OPTIONS, overrides), config, receivedAt);
  const body = new ArrivingBody(request.body as AsyncIterable<Buffer>, config.idleBodyMs, sentBy);
  const { limits } = clientOf(request);
  const { head, rest, lines } = await readHead(body, limits, config, cutHead);
  const options = overridden(head.options, overrides);
  const deadline = deadlineOf(options, config, receivedAt);
  body.endAt(deadline);
  return { head, options, blocks: slices(rest, lines, limits, deadline), receivedAt, deadline };
}

async function readHead<Head>(
  body: AsyncIterable<Buffer>,
  limits: ClientLimits,
  { maxDefinitions }: Pick<ServiceLimits, 'maxDefinitions'>,
  cutHead: CutHead<Head>,
): Promise<{ head: Head; rest: Uint8Array[]; lines: AsyncGenerator<Uint8Array[]> }> {
  const lines = linesOf(counted(body, limits.maxStreamBytes));
  const first = await lines.next();
  const [envelope, ...rest] = first.done ? [] : first.value;
  if (!envelope)
    throw new StatusFailure(badRequestStatus('the body is empty: its first line must be the envelope, {"definitions":[…],"options":{…}}'));
  const cut = await cutHead(envelope, { definitions: maxDefinitions, objects: 0, tooManyObjects: NO_OBJECTS });
  if (!cut.ok) throw new StatusFailure(cut.status);
  return { head: cut.value, rest, lines };
}

/** Yields the lines of a body, several at a time. Throws the 413 failure if a line is too long. */
async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  try {
    yield* splitLines(body, MAX_ITEM_BYTES);
  } catch (error) {
    throw error instanceof LineTooLong ? new StatusFailure(tooLargeStatus(error.message)) : error;
  }
}

/**
 * Yields the lines `rest` and the further lines as documents. Stops with a failure when the deadline has passed, when there are too many
 * lines, or when {@link MAX_STRANGE_LINES} lines in a row are no objects. `deadline` is in ms since the epoch.
 */
async function* slices(
  rest: readonly Uint8Array[],
  lines: AsyncGenerator<Uint8Array[]>,
  limits: ClientLimits,
  deadline: number,
): AsyncGenerator<DocumentSlice[]> {
  let items = 0;
  let strange = 0;
  for await (const block of inGroups(rest, lines)) {
    if (steadyNow() >= deadline) throw new StatusFailure(tooLateStatus(items));
    throwIfDeclined(checkItemCount(items + block.length, limits.maxStreamItems));
    const end = block.findIndex((line) => (strange = isObject(line) ? 0 : strange + 1) >= MAX_STRANGE_LINES);
    const taken = end < 0 ? block : block.slice(0, end);
    items += taken.length;
    if (taken.length > 0) yield taken.map(asSlice);
    if (end >= 0) throw new StatusFailure(noObjectsStatus(items));
  }
}

async function* inGroups(first: readonly Uint8Array[], lines: AsyncGenerator<Uint8Array[]>): AsyncGenerator<readonly Uint8Array[]> {
  yield first;
  yield* lines;
}

const tooLateStatus = (items: number): Status =>
  timeoutStatus(`the deadline of the evaluation passed: the items from index ${items} on have no verdict`, 0, 408);

const noObjectsStatus = (items: number): Status =>
  badRequestStatus(
    `${MAX_STRANGE_LINES} lines in a row are no JSON objects: an NDJSON body has an object on each line; the items from index ${items} on have no verdict`,
  );

/** Returns true if the first character of a line that is not blank is that of a JSON object. */
function isObject(line: Uint8Array): boolean {
  const first = line.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d);
  return first === 0x7b;
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
