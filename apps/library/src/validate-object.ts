import { readSlice } from '#documents';
import type { DocumentSlice } from '#documents';
import { writeJson } from '#go';
import { InProcessEngine } from '#runner/in-process';
import { runSync, optionsOf, sliceOf, timeoutError } from './calls.ts';
import type { CompiledDefinition } from './definition.ts';
import type { Document, Verdict, WriteOptions } from './types.ts';

/**
 * Computes the verdict on one write of an object: a create, or an update if `oldObject` is given. The verdict contains the message of the
 * server. If the object is accepted, it also contains the object as it would be stored.
 *
 * @example
 *     const verdict = validateObject(compiled.definition, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } });
 *     if (verdict.outcome !== 'accepted') console.log(verdict.status?.message);
 */
export function validateObject(definition: CompiledDefinition, object: Document, options: WriteOptions = {}): Verdict {
  const { oldObject, operation, subresource, ...rest } = options;
  const { text, options: own, settings, performer } = definition.inner;
  const { fieldValidation, costLimits, asSent, explain } = optionsOf(rest);
  const chosen = { ...own, fieldValidation, costLimits, asSent, explain, returnObjects: true };
  const item = itemOf(object, { oldObject, operation, subresource });
  return runSync(options, (token) => {
    const { verdicts } = new InProcessEngine(performer, token).perform(
      { kind: 'evaluate', firstItem: 0, items: [item], settings: { ...settings, options: chosen } },
      [text],
    );
    const { index: _, missing: __, ...verdict } = JSON.parse(verdicts[0] ?? '{}') as Verdict & { index: number; missing?: boolean };
    if (verdict.outcome === 'cancelled') throw timeoutError(options);
    return verdict;
  });
}

/** Returns the batch item for a write: the object alone, or the object together with the old object, operation and subresource. */
function itemOf(
  object: Document,
  { oldObject, operation, subresource }: Pick<WriteOptions, 'oldObject' | 'operation' | 'subresource'>,
): DocumentSlice {
  const slice = sliceOf(object);
  if (oldObject === undefined && operation === undefined && subresource === undefined) return slice;
  const old = oldObject === undefined ? undefined : jsonOf(sliceOf(oldObject));
  if (oldObject !== undefined && old === undefined) throw new TypeError('oldObject cannot be read, or is more than one document');
  const written = jsonOf(slice);
  // Passes on an unreadable document unchanged, so that the result is the error of a server.
  if (written === undefined) return slice;
  const members = [
    `"object":${written}`,
    ...(old === undefined ? [] : [`"oldObject":${old}`]),
    ...Object.entries({ operation, subresource }).flatMap(([key, value]) =>
      value === undefined ? [] : [`"${key}":${JSON.stringify(value)}`],
    ),
  ];
  return { bytes: new TextEncoder().encode(`{${members.join(',')}}`), notation: 'json' };
}

/** Returns a document as JSON text. A document that already is JSON is not changed. Returns undefined if the document cannot be read. */
function jsonOf(slice: DocumentSlice): string | undefined {
  if (slice.notation === 'json') return new TextDecoder().decode(slice.bytes);
  const reading = readSlice(slice);
  return reading.ok ? writeJson(reading.value) : undefined;
}
