import type { FastifyRequest } from 'fastify';
import { badRequestStatus, tooLargeStatus } from '#kube';
import { LineTooLong, MAX_ITEM_BYTES, splitLines, steadyNow } from '#evaluation';
import type { Cut, DocumentLimits, DocumentSlice, EvaluationOptions } from '#evaluation';
import { checkItemCount, deadlineOf } from '#service';
import type { ServiceLimits } from '#service';
import { clientOf } from '../access/client.ts';
import type { ClientLimits } from '../access/client.ts';
import { requirePassed } from '../answer-outcome.ts';
import type { ApiConfig } from '../config.ts';
import { ArrivingBody } from '../http/body-times.ts';
import { StatusFailure } from '../status.filter.ts';
import { DEFAULT_OPTIONS, overridden } from './request-options.ts';
import type { readQuery } from './request-options.ts';

const NO_OBJECTS = badRequestStatus('the first line of an NDJSON body has no objects: they follow, one a line');

/** Function that splits the first line of an NDJSON body into the documents of an envelope. */
type CutHead<Head> = (bytes: Uint8Array, limits: DocumentLimits) => Promise<Cut<Head>>;

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
  const { head, blocks } = await readHead(body, clientOf(request).limits, config, cutHead);
  const options = overridden(head.options, overrides);
  const deadline = deadlineOf(options, config, receivedAt);
  body.endAt(deadline);
  return { head, options, blocks, receivedAt, deadline };
}

async function readHead<Head>(
  body: AsyncIterable<Buffer>,
  limits: ClientLimits,
  { maxDefinitions }: Pick<ServiceLimits, 'maxDefinitions'>,
  cutHead: CutHead<Head>,
): Promise<{ head: Head; blocks: AsyncGenerator<DocumentSlice[]> }> {
  const lines = linesOf(counted(body, limits.maxStreamBytes));
  const first = await lines.next();
  const [envelope, ...rest] = first.done ? [] : first.value;
  if (!envelope)
    throw new StatusFailure(badRequestStatus('the body is empty: its first line must be the envelope, {"definitions":[…],"options":{…}}'));
  const cut = await cutHead(envelope, { definitions: maxDefinitions, objects: 0, tooManyObjects: NO_OBJECTS });
  if (!cut.ok) throw new StatusFailure(cut.status);
  return { head: cut.value, blocks: slices(rest, lines, limits) };
}

/** Yields the lines of a body, several at a time. Throws the 413 failure if a line is too long. */
async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array[]> {
  try {
    yield* splitLines(body, MAX_ITEM_BYTES);
  } catch (error) {
    throw error instanceof LineTooLong ? new StatusFailure(tooLargeStatus(error.message)) : error;
  }
}

async function* slices(
  rest: readonly Uint8Array[],
  lines: AsyncGenerator<Uint8Array[]>,
  limits: ClientLimits,
): AsyncGenerator<DocumentSlice[]> {
  let items = rest.length;
  requirePassed(checkItemCount(items, limits.maxStreamItems));
  if (rest.length > 0) yield rest.map(asSlice);
  for await (const block of lines) {
    items += block.length;
    requirePassed(checkItemCount(items, limits.maxStreamItems));
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
