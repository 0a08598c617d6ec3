import { Cancelled, floatOf, isJsonObject, newJsonObject, readJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { OBJECT_BUDGET } from '#kube';
import type { CompiledDefinition } from '../definition/compile-definition.ts';
import type { ObjectVerdict, ObjectWrite, ValidationOptions } from '../verdict.ts';
import { acceptWithReader } from './accept-with-reader.ts';
import { jsonSource, parseYamlFirst } from './json-bytes.ts';
import { AdaptiveReader } from './schema-reader/adaptive-reader.ts';
import type { SchemaReader } from './schema-reader/schema-reader.ts';
import type { ServedVersion } from './served-version.ts';
import { validateWithTimings } from './validate-object.ts';

/** The way in which the verdict on a write is computed, and the reason why no faster way computes it. */
export interface WriteTrace {
  /**
   * `columns`: generated code reads the object, and stores long lists in columns. `reader`: generated code reads the object without columns.
   * `exact`: the exact validation goes through the server's steps one by one. Each way is faster than the next one.
   */
  readonly way: 'columns' | 'reader' | 'exact';
  /** True if the object is YAML, which is converted to JSON before generated code reads it. */
  readonly fromYaml?: true;
  /** Reason why the next faster way does not compute the verdict; absent if there is no faster way. */
  readonly obstacle?: string;
}

/**
 * Returns the way in which the verdict on the creation of an object is computed if many such objects are judged. Generates a reader for
 * this purpose, although a definition generates its own reader only after enough objects. Judges the object several times to find the
 * reason. Throws `Cancelled` if the token in the options is cancelled.
 */
export function traceWrite(definition: CompiledDefinition, write: ObjectWrite, options: ValidationOptions = {}): WriteTrace {
  const served = definition.serve(write.version ?? definition.storageVersion);
  if (served === undefined || !served.ok) return exactly('the definition does not serve the version of the object');
  const { version } = served;
  if (write.operation !== 'CREATE') return exactly('the trace covers only the creation of objects');
  if (version.generateReader === undefined) return exactly('the engine generates no code');
  const result = version.generateReader();
  if (!result.ok) return exactly(result.obstacle);
  const read = parseYamlFirst(write, options.token);
  if (!isReadBy(result.reader, version, read, options)) return exactly(obstacleToReader(definition, version, read, options));
  const obstacle = result.reader.columnObstacle(jsonSource(read)?.bytes()?.length ?? 0);
  const fromYaml = read.yaml !== undefined && ({ fromYaml: true } as const);
  return obstacle === undefined ? { way: 'columns', ...fromYaml } : { way: 'reader', ...fromYaml, obstacle };
}

const exactly = (obstacle: string): WriteTrace => ({ way: 'exact', obstacle });

/** Returns true if a reader that has read no object yet accepts a write. */
function isReadBy(reader: SchemaReader, version: ServedVersion, write: ObjectWrite, options: ValidationOptions): boolean {
  return acceptWithReader({ ...version, reader: new AdaptiveReader(() => reader, 0) }, write, options) !== undefined;
}

/** Returns the reason why the generated reader does not accept a write. The exact validation and other forms of the object show the reason. */
function obstacleToReader(definition: CompiledDefinition, version: ServedVersion, write: ObjectWrite, options: ValidationOptions): string {
  const verdict: ObjectVerdict = validateWithTimings(definition, { ...write, fieldValidation: 'Warn' }, options);
  if ('cancelled' in verdict) throw new Cancelled();
  if (!verdict.accepted) return 'a server rejects the object';
  const warning = verdict.warnings.find((text) => text !== version.deprecation);
  if (warning !== undefined) return warningObstacle(warning);
  if ((verdict.cost.cel ?? 0) >= (options.budget ?? OBJECT_BUDGET)) return 'the cost of the rules reaches the limit of an object';
  if (jsonSource(write)?.bytes() === undefined) return 'JSON cannot hold a value of the YAML exactly';
  const body = objectOf(write);
  const isRead = (nulls: Nulls): boolean => {
    const again = version.generateReader?.();
    if (body === undefined || again?.ok !== true) return false;
    const { yaml: _, ...rest } = write;
    return isReadBy(again.reader, version, { ...rest, body: plainObject(body, nulls) }, options);
  };
  if (isRead('withNulls'))
    return 'a number, a text or a key is written in a form that the reader does not read, such as 1e3 or an escaped key';
  if (isRead('withoutNulls')) return 'the server removes a null from the object';
  return 'the reader cannot decide about a part of the object';
}

/** Returns the reason for a warning of the exact validation. Warnings about unknown and duplicate fields contain only the field. */
const warningObstacle = (warning: string): string =>
  /^(?:unknown|duplicate) field /.test(warning)
    ? `the object has ${warning.startsWith('u') ? 'an' : 'a'} ${warning}`
    : `the object has the warning: ${warning}`;

/** Returns the object of a write as a value, or undefined if it cannot be read. */
function objectOf({ body, yaml }: ObjectWrite): JsonObject | undefined {
  if (!(body instanceof Uint8Array)) return typeof body === 'string' ? undefined : body;
  const reading = yaml?.reading ?? readJson(body);
  return reading.ok && isJsonObject(reading.value) ? reading.value : undefined;
}

/** Says if a copy of an object keeps the nulls in objects. */
type Nulls = 'withNulls' | 'withoutNulls';

/** Returns a copy of an object in which all numbers are plain numbers. */
function plainObject(object: JsonObject, nulls: Nulls): JsonObject {
  const copy = newJsonObject();
  for (const [key, value] of Object.entries(object)) if (nulls === 'withNulls' || value !== null) copy[key] = plainValue(value, nulls);
  return copy;
}

function plainValue(value: JsonValue, nulls: Nulls): JsonValue {
  if (Array.isArray(value)) return value.map((item) => plainValue(item, nulls));
  return isJsonObject(value) ? plainObject(value, nulls) : (floatOf(value) ?? value);
}
