import { FIELD_VALIDATIONS } from '../verdict.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import { jsonSource } from './json-bytes.ts';
import type { ReadUpdate } from './schema-reader/schema-reader.ts';
import type { OrdinaryObjectReader, ServedVersion } from './served-version.ts';
import { Warnings } from './write/warnings.ts';

/**
 * Returns the verdict on the creation of an object if a single pass over its bytes shows that a server accepts it (`schema-reader/`). The
 * object must need no pruning and cause no error or warning of validation.
 *
 * Returns undefined for any other write request. Also returns undefined for options that only the exact validation supports: costs of
 * single rules, an observer, or admission. The verdict equals the verdict of the exact validation, except that it has no times of steps.
 */
export function acceptWithReader(version: ServedVersion, write: ObjectWrite, options: ValidationOptions): ObjectVerdict | undefined {
  if (write.operation !== 'CREATE') return undefined;
  const accepted = readOrdinaryObject(version, write, options, (reader, body) => reader.read(body, write, options));
  if (accepted === undefined) return undefined;
  const { deprecation, rules } = version;
  const { object, cost, sent, tookOff } = accepted;
  return {
    accepted: true,
    object,
    warnings: deprecation === undefined ? NONE : warningsOf(deprecation),
    cost: { cel: rules === undefined ? 0 : cost },
    sent,
    ...(tookOff && { takenOff: true }),
  };
}

/**
 * Reads the new object of an update with the generated code for the object's schema. Returns undefined if this code cannot accept the
 * object without the exact validation, and for any request other than an update; see {@link acceptWithReader}.
 */
export function readOrdinaryUpdate(version: ServedVersion, write: ObjectWrite, options: ValidationOptions): ReadUpdate | undefined {
  if (write.operation !== 'UPDATE') return undefined;
  return readOrdinaryObject(version, write, options, (reader, body) => reader.readUpdate(body, write, options));
}

function readOrdinaryObject<Read>(
  { reader }: ServedVersion,
  write: ObjectWrite,
  options: ValidationOptions,
  read: (reader: OrdinaryObjectReader, body: Uint8Array) => Read | undefined,
): Read | undefined {
  if (reader === undefined || write.subresource !== undefined || !FIELD_VALIDATIONS.includes(write.fieldValidation)) return undefined;
  if (options.exact === true || options.explain === true || options.observer !== undefined || options.admission !== undefined)
    return undefined;
  const source = jsonSource(write);
  if (source === undefined || !reader.mayRead(source.length)) return undefined;
  const bytes = source.bytes();
  return bytes && read(reader, bytes);
}

const NONE: readonly string[] = [];

function warningsOf(text: string): readonly string[] {
  const warnings = new Warnings();
  warnings.add(text);
  return warnings.texts;
}
