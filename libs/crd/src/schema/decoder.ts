import { floatOf, isJsonInt, isJsonObject, SpelledFloat, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Returns Go's name for the JSON kind of a value in decode errors. */
export function jsonKind(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}

/** The settings for the words of a decoder's errors. */
export interface DecoderOptions {
  /** The package of the Go types, which readers call `v1`. */
  readonly goPackage?: string;
  /** True if errors below types with their own JSON decoder tell the whole path; see `decodingKeepsPaths` of the ledger. */
  readonly keepsPaths?: boolean;
}

/**
 * Reads JSON into typed fields as Go's decoder does. Null counts as absent. The first value of a wrong type is the
 * error, but reading continues with the zero value. Paths of unknown fields are noted. Source: sigs.k8s.io/json; paths
 * as in its strict errors, `spec.versions[0].name`.
 */
export class Decoder {
  /**
   * Errors by path, in the order of reading, which differs from Go's. `firstError` finds the first error of the
   * document and makes its text.
   */
  private readonly errors = new Map<string, () => string>();
  /** Paths of unknown fields, in document order. */
  readonly unknownFields: string[] = [];
  /** The Go types of the objects read so far, by path. */
  private readonly structs = new Map<string, string>();
  /** Paths of values whose types have a JSON decoder of their own. */
  private readonly opaque = new Set<string>();
  /** The same, with those inside others. */
  private readonly ownDecoders = new Set<string>();
  private readonly goPackage: string;
  private readonly keepsPaths: boolean;
  private lenient = 0;
  private unshared = 0;

  /** @param struct name of the outermost Go type, for error texts */
  constructor(struct: string, { goPackage = 'v1', keepsPaths = true }: DecoderOptions = {}) {
    this.structs.set('', struct);
    this.goPackage = goPackage;
    this.keepsPaths = keepsPaths;
  }

  /** Says that what is read now must not be shared: it is not the same everywhere, or whoever has it changes it. */
  keepApart(): void {
    this.unshared++;
  }

  /** Counts what was said of the values that were read so far. */
  protected get remarks(): number {
    return this.errors.size + this.unknownFields.length + this.unshared;
  }

  /** True once something could not be read. */
  get failed(): boolean {
    return this.errors.size > 0;
  }

  /**
   * Returns the error with which Go answers; undefined if there is none. After a value of a wrong type Go reads on and
   * keeps the first such error. An error of a type's own decoder ends the reading, and takes precedence. Source:
   * encoding/json/decode.go `saveError` (Go 1.26).
   */
  firstError(document: JsonValue): string | undefined {
    if (this.errors.size === 0) return undefined;
    const paths = this.errors.size > 1 ? [...pathsOfErrors(this.errors, document, '')] : [...this.errors.keys()];
    return this.errors.get(this.answering(paths, undefined) ?? '')?.();
  }

  /** Returns the path of the error with which a decoder answers, from the paths below it in document order. */
  private answering(paths: readonly string[], below: string | undefined): string | undefined {
    const inner = (path: string): string | undefined =>
      [...this.ownDecoders]
        .filter((own) => own !== below && own.length > (below?.length ?? -1) && isWithin(path, own))
        .sort((a, b) => a.length - b.length)[0];
    const ends = paths.map(inner).find((own) => own !== undefined);
    if (ends === undefined) return paths[0];
    return this.answering(
      paths.filter((path) => isWithin(path, ends)),
      ends,
    );
  }

  /** Reads a value whose type has a JSON decoder of its own: unknown fields below it go unnoticed. */
  leniently<T>(path: string, read: () => T): T {
    if (this.lenient === 0) this.opaque.add(path);
    this.ownDecoders.add(path);
    this.lenient += 1;
    const value = read();
    this.lenient -= 1;
    return value;
  }

  /** Accepts a value without reading it. The decoder notices no duplicates inside it. */
  unread(value: JsonValue | undefined, path: string): void {
    if (this.lenient === 0 && typeof value === 'object' && value !== null) this.opaque.add(path);
  }

  /**
   * Returns true if the decoder notices a duplicate key at a path. It does not inside a value that another decoder
   * reads, or that it does not read.
   */
  notices(path: string): boolean {
    const hides = (outer: string): boolean => path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));
    return ![...this.opaque, ...this.unknownFields].some(hides);
  }

  fail(value: JsonValue, path: string, goType: string): void {
    this.note(path, () => `json: cannot unmarshal ${shownKind(value, goType)} into ${this.place(path, goType)}`);
  }

  /** Notes an error of a type with a JSON decoder of its own, in its words: Go reads no further. */
  endWith(path: string, text: string): void {
    this.ownDecoders.add(path);
    this.failWith(path, text);
  }

  /**
   * Returns the text of a time. A value that is no string also ends the reading. Source: apimachinery
   * apis/meta/v1/time.go `Time.UnmarshalJSON` (1.37).
   */
  timeText(value: JsonValue | undefined, path: string): string | undefined {
    if (typeof value !== 'string') this.ownDecoders.add(path);
    return this.optionalString(value, path);
  }

  /** Notes an error that has a text of its own. */
  failWith(path: string, text: string): void {
    this.note(path, () => text);
  }

  private note(path: string, text: () => string): void {
    if (!this.errors.has(path)) this.errors.set(path, text);
  }

  /** Returns the destination of a value for error texts. Metadata has the same type in every API version. */
  private place(path: string, goType: string): string {
    const type = /v1\.(?:ObjectMeta|Managed|Owner)/.test(goType) ? goType : goType.replace(/(?<![A-Za-z])v1\./, `${this.goPackage}.`);
    return path === '' ? `Go value of type ${type}` : `Go struct field ${this.fieldName(path)} of type ${type}`;
  }

  /** A field as Go names it: the innermost type, then the names of fields from the outermost one, without keys of maps and indices. */
  private fieldName(path: string): string {
    const boundary = [...this.opaque].find((outer) => path.startsWith(outer) && /^[.[]?$/.test(path.charAt(outer.length)));
    const around = [...this.structs.keys()].filter((struct) => struct === '' || path.startsWith(`${struct}.`));
    around.sort((a, b) => a.length - b.length);
    // A decoder of its own starts anew; what it says of the type is replaced by the type around it.
    const outside = boundary === undefined ? around : around.filter((struct) => struct.length < boundary.length);
    const named = this.keepsPaths ? around : outside;
    const names = named.map((struct) => /^[^.[]*/.exec(path.slice(struct === '' ? 0 : struct.length + 1))?.[0] ?? '');
    return `${this.structs.get(outside.at(-1) ?? '') ?? ''}.${names.join('.')}`;
  }

  string(value: JsonValue | undefined, path: string, goType = 'string'): string {
    return this.optionalString(value, path, goType) ?? '';
  }

  optionalString(value: JsonValue | undefined, path: string, goType = 'string'): string | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    this.fail(value, path, goType);
    return undefined;
  }

  bool(value: JsonValue | undefined, path: string): boolean {
    return this.optionalBool(value, path) ?? false;
  }

  optionalBool(value: JsonValue | undefined, path: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'boolean') return value;
    this.fail(value, path, 'bool');
    return undefined;
  }

  int64(value: JsonValue | undefined, path: string, goType = 'int64'): number | bigint | undefined {
    if (value === undefined || value === null) return undefined;
    if (isJsonInt(value)) return value;
    this.fail(value, path, goType);
    return undefined;
  }

  /** An int32; what does not fit is an error. */
  int32(value: JsonValue | undefined, path: string): number | undefined {
    const integer = this.int64(value, path, 'int32');
    if (integer === undefined) return undefined;
    if (typeof integer === 'number' && integer >= -2147483648 && integer <= 2147483647) return integer;
    this.fail(integer, path, 'int32');
    return undefined;
  }

  /** A byte; what is none is an error and 0. */
  uint8(value: JsonValue, path: string): number {
    const integer = this.int64(value, path, 'uint8') ?? 0;
    if (integer >= 0 && integer <= 255) return Number(integer);
    this.fail(integer, path, 'uint8');
    return 0;
  }

  float64(value: JsonValue | undefined, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    const float = isJsonInt(value) ? Number(value) : floatOf(value);
    if (float === undefined) this.fail(value, path, 'float64');
    return float;
  }

  /** Elements of a list; an absent or null list is undefined. */
  list<T>(value: JsonValue | undefined, path: string, goType: string, read: (item: JsonValue, path: string) => T): T[] | undefined {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) {
      this.fail(value, path, goType);
      return undefined;
    }
    return value.map((item, index) => read(item, `${path}[${index}]`));
  }

  strings(value: JsonValue | undefined, path: string): string[] | undefined {
    return this.list(value, path, '[]string', (item, at) => this.string(item, at));
  }

  /** Entries of a map. */
  map<T>(
    value: JsonValue | undefined,
    path: string,
    goType: string,
    read: (item: JsonValue, path: string) => T,
  ): Map<string, T> | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) {
      this.fail(value, path, goType);
      return undefined;
    }
    const map = new Map<string, T>();
    for (const key of Object.keys(value)) map.set(key, read(value[key] as JsonValue, joinPath(path, key)));
    return map;
  }

  /** An object whose fields are known; others are noted. Undefined when the value is absent, null or no object. */
  fields(value: JsonValue | undefined, path: string, goType: string, known: Pick<ReadonlySet<string>, 'has'>): JsonObject | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) {
      this.fail(value, path, goType);
      return undefined;
    }
    if (path !== '') this.structs.set(path, goType.replace(/^v1\./, ''));
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      // Where it goes unnoticed, an equal object elsewhere does not.
      if (this.lenient === 0) this.unknownFields.push(joinPath(path, key));
      else this.keepApart();
    }
    return value;
  }
}

/** Returns a value in a decode error. Go shows numbers that a type of integers cannot hold. */
function shownKind(value: JsonValue, goType: string): string {
  const number = /^u?int/.test(goType) && (isJsonInt(value) || floatOf(value) !== undefined);
  return number ? `number ${value instanceof SpelledFloat ? value.spelling : writeJson(value)}` : jsonKind(value);
}

type ErrorTexts = ReadonlyMap<string, () => string>;

/** Yields the paths of errors in the order of their values in a document. */
function* pathsOfErrors(errors: ErrorTexts, value: JsonValue, path: string): Generator<string> {
  if (errors.has(path)) yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* pathsOfErrors(errors, item, `${path}[${index}]`);
  else if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) yield* pathsOfErrors(errors, item, joinPath(path, key));
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && /^[.[]?$/.test(path.charAt(outer.length));
}

/** Returns the path of a field: `spec.names`. */
export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
