import { badRequestStatus, MAX_BODY_BYTES, tooLargeStatus } from '#kube';
import type { Status } from '#kube';
import type { DocumentSlice } from './item.ts';
import { evaluationOptions } from './options.ts';
import type { EvaluationOptions } from './options.ts';
import { scanElements, scanMembers } from './scan-json.ts';
import type { ByteSpan } from './scan-json.ts';

/** A request cut into slices; the slices still are bytes. */
export interface Envelope {
  readonly definitions: readonly DocumentSlice[];
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
}

/** What cutting came to: the parts, or the request's own failure. */
export type Cut<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly status: Status };

/** Options are small; more bytes than this are not options. */
const MAX_OPTIONS_BYTES = 64 * 1024;

/** Cuts the JSON body of `POST /evaluate` (or the first line of an NDJSON one, which has no `objects`) into slices. */
export function splitEnvelope(body: Uint8Array): Cut<Envelope> {
  const members = scanMembers(body);
  if (!members.ok) return malformed(`${members.problem} (byte ${members.offset})`);
  let definitions: Cut<DocumentSlice[]> = { ok: true, value: [] };
  let objects: Cut<DocumentSlice[]> = { ok: true, value: [] };
  let options: Cut<EvaluationOptions> = { ok: true, value: evaluationOptions.parse({}) };
  const seen = new Set<string>();
  for (const { key, start, end } of members.spans) {
    if (seen.has(key)) return malformed(`duplicate field "${key}"`);
    seen.add(key);
    const value = body.subarray(start, end);
    if (key === 'definitions') definitions = slices(key, value);
    else if (key === 'objects') objects = slices(key, value);
    else if (key === 'options') options = readOptions(value);
    else return malformed(`unknown field "${key}"; known: definitions, objects, options`);
  }
  if (!definitions.ok) return definitions;
  if (!objects.ok) return objects;
  if (!options.ok) return options;
  return { ok: true, value: { definitions: definitions.value, objects: objects.value, options: options.value } };
}

/** Reads and checks the options object. Unknown options are errors: a misspelt one would otherwise be silently without effect. */
function readOptions(bytes: Uint8Array): Cut<EvaluationOptions> {
  if (bytes.length > MAX_OPTIONS_BYTES) return malformed(`options are longer than ${MAX_OPTIONS_BYTES} bytes`);
  let raw: unknown;
  try {
    raw = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    return malformed(`options: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
  return checkOptions(raw);
}

/** Checks options that are parsed already (query parameters, command line). */
export function checkOptions(raw: unknown): Cut<EvaluationOptions> {
  const result = evaluationOptions.safeParse(raw);
  if (result.success) return { ok: true, value: result.data };
  const problems = result.error.issues.map((issue) => `options${issue.path.map((step) => `.${String(step)}`).join('')}: ${issue.message}`);
  return { ok: false, status: badRequestStatus(problems.join('; ')) };
}

/** The 413 of an object or definition above the server's limit, or undefined. */
export function tooLargeProblem(where: string, bytes: number): Status | undefined {
  return bytes > MAX_BODY_BYTES ? tooLargeStatus(`limit is ${MAX_BODY_BYTES} (${where} has ${bytes} bytes)`) : undefined;
}

function slices(field: string, bytes: Uint8Array): Cut<DocumentSlice[]> {
  const elements = scanElements(bytes);
  if (!elements.ok) return malformed(`${field}: ${elements.problem} (byte ${elements.offset} of the list)`);
  return { ok: true, value: elements.spans.map((span: ByteSpan) => ({ bytes: bytes.subarray(span.start, span.end), notation: 'json' })) };
}

function malformed(problem: string): { ok: false; status: Status } {
  return { ok: false, status: badRequestStatus(`the request body is malformed: ${problem}`) };
}
