import { floatOf, isJsonInt, isJsonObject, SpelledFloat, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Returns Go's name for the JSON kind of a value in decode errors. */
export function jsonKind(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}

/** Options that influence the texts of a decoder's errors. */
export interface DecoderOptions {
  /** Name of the package of the Go types in error texts. Code that calls the decoder always writes `v1`, which is replaced by this name. */
  readonly goPackage?: string;
  /** True if errors inside types with their own JSON decoder show the whole path. See `decodingKeepsPaths` in `CRD_DIFFERENCES`. */
  readonly keepsPaths?: boolean;
}

/**
 * Decoder that reads JSON into typed fields in the same way as Go's decoder. Null counts as absent. The first value of a wrong type is the
 * error, but reading continues with the zero value for that field. The decoder also records the paths of unknown fields. Source:
 * sigs.k8s.io/json; paths as in its strict errors, `spec.versions[0].name`.
 */
export class Decoder {
  /**
   * Functions that return the error texts, by path. Their order is the reading order of this decoder, which differs from Go's. `firstError`
   * therefore searches the document for its first error.
   */
  readonly #errors = new Map<string, () => string>();
  /** Paths of unknown fields, in document order. */
  readonly unknownFields: string[] = [];
  /** Go types of the objects read so far, by path. */
  readonly #structs = new Map<string, string>();
  /**
   * Paths of values inside which the decoder notices no duplicate keys. These are values that are not read, and the outermost values whose
   * Go types have their own JSON decoder.
   */
  readonly #opaque = new Set<string>();
  /** Paths of all values whose Go types have their own JSON decoder, including nested values. */
  readonly #ownDecoders = new Set<string>();
  readonly #goPackage: string;
  readonly #keepsPaths: boolean;
  #lenient = 0;
  #unshared = 0;

  /** @param struct name of the outermost Go type, for error texts */
  constructor(struct: string, { goPackage = 'v1', keepsPaths = true }: DecoderOptions = {}) {
    this.#structs.set('', struct);
    this.#goPackage = goPackage;
    this.#keepsPaths = keepsPaths;
  }

  /** Marks the current value as not shareable, because its result depends on its location or may be changed later. */
  keepApart(): void {
    this.#unshared++;
  }

  /** Number of errors, unknown fields and calls of `keepApart` that were recorded so far. */
  protected get remarks(): number {
    return this.#errors.size + this.unknownFields.length + this.#unshared;
  }

  /** True if at least one value could not be decoded. */
  get failed(): boolean {
    return this.#errors.size > 0;
  }

  /**
   * Returns the error that Go reports, or undefined if there is none. After a value of a wrong type, Go continues to read and keeps the
   * first such error. An error of a type's own decoder ends the reading and takes precedence. Source: encoding/json/decode.go `saveError`
   * (Go 1.26).
   */
  firstError(document: JsonValue): string | undefined {
    return this.#errors.get(this.#firstPath(document) ?? '')?.();
  }

  /** Returns true if the text of the error that Go reports depends on {@link DecoderOptions.keepsPaths}. */
  showsPath(document: JsonValue): boolean {
    const { around, outside } = this.#structsAround(this.#firstPath(document) ?? '');
    return around.length !== outside.length;
  }

  #firstPath(document: JsonValue): string | undefined {
    if (this.#errors.size === 0) return undefined;
    const paths = this.#errors.size > 1 ? [...pathsOfErrors(this.#errors, document, '')] : [...this.#errors.keys()];
    return this.#answering(paths, undefined);
  }

  /**
   * Returns the path of the error that Go reports. `paths` are the paths of all errors in the value at `below`, in document order. If a
   * value inside has its own JSON decoder and contains an error, the search continues in that value. Undefined if there are no errors.
   */
  #answering(paths: readonly string[], below: string | undefined): string | undefined {
    const inner = (path: string): string | undefined =>
      [...this.#ownDecoders]
        .filter((own) => own !== below && own.length > (below?.length ?? -1) && isWithin(path, own))
        .sort((a, b) => a.length - b.length)[0];
    const ends = paths.map(inner).find((own) => own !== undefined);
    if (ends === undefined) return paths[0];
    return this.#answering(
      paths.filter((path) => isWithin(path, ends)),
      ends,
    );
  }

  /** Reads a value whose Go type has its own JSON decoder. Unknown fields inside the value are not reported. */
  leniently<T>(path: string, read: () => T): T {
    if (this.#lenient === 0) this.#opaque.add(path);
    this.#ownDecoders.add(path);
    this.#lenient += 1;
    const value = read();
    this.#lenient -= 1;
    return value;
  }

  /** Accepts a value without reading it. The decoder then notices no duplicate keys inside the value. */
  unread(value: JsonValue | undefined, path: string): void {
    if (this.#lenient === 0 && typeof value === 'object' && value !== null) this.#opaque.add(path);
  }

  /**
   * Returns true if the decoder notices a duplicate key at `path`. It does not notice duplicate keys inside a value that another decoder
   * reads, or inside a value that is not read.
   */
  notices(path: string): boolean {
    const hides = (outer: string): boolean => path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length));
    return ![...this.#opaque, ...this.unknownFields].some(hides);
  }

  fail(value: JsonValue, path: string, goType: string): void {
    this.#note(path, () => `json: cannot unmarshal ${shownKind(value, goType)} into ${this.#place(path, goType)}`);
  }

  /** Records an error, with the given text, that a Go type's own JSON decoder reports. Go stops reading after such an error. */
  endWith(path: string, text: string): void {
    this.#ownDecoders.add(path);
    this.failWith(path, text);
  }

  /**
   * Returns the text of a time. A value that is not a string is an error, after which Go stops reading. Source: apimachinery
   * apis/meta/v1/time.go `Time.UnmarshalJSON` (1.37).
   */
  timeText(value: JsonValue | undefined, path: string): string | undefined {
    if (typeof value !== 'string') this.#ownDecoders.add(path);
    return this.optionalString(value, path);
  }

  /** Records an error with the given text. */
  failWith(path: string, text: string): void {
    this.#note(path, () => text);
  }

  #note(path: string, text: () => string): void {
    if (!this.#errors.has(path)) this.#errors.set(path, text);
  }

  /** Returns the Go destination of a value, such as a struct field, for error texts. Metadata has the same type in every API version. */
  #place(path: string, goType: string): string {
    const type = /v1\.(?:ObjectMeta|Managed|Owner)/.test(goType) ? goType : goType.replace(/(?<![A-Za-z])v1\./, `${this.#goPackage}.`);
    return path === '' ? `Go value of type ${type}` : `Go struct field ${this.#fieldName(path)} of type ${type}`;
  }

  /**
   * Returns the name of a field as Go's errors show it: the innermost type, then the field names from the outermost field inwards. Map keys
   * and indices are left out.
   */
  #fieldName(path: string): string {
    const { around, outside } = this.#structsAround(path);
    const named = this.#keepsPaths ? around : outside;
    const names = named.map((struct) => /^[^.[]*/.exec(path.slice(struct === '' ? 0 : struct.length + 1))?.[0] ?? '');
    return `${this.#structs.get(outside.at(-1) ?? '') ?? ''}.${names.join('.')}`;
  }

  /** Returns the paths of the objects around a value, and of those outside of a value with its own JSON decoder, the outermost first. */
  #structsAround(path: string): Readonly<Record<'around' | 'outside', readonly string[]>> {
    const boundary = [...this.#opaque].find((outer) => path.startsWith(outer) && /^[.[]?$/.test(path.charAt(outer.length)));
    const around = [...this.#structs.keys()].filter((struct) => struct === '' || path.startsWith(`${struct}.`));
    around.sort((a, b) => a.length - b.length);
    // A value with its own JSON decoder starts a new path. In errors, the type around this value replaces the type inside it.
    const outside = boundary === undefined ? around : around.filter((struct) => struct.length < boundary.length);
    return { around, outside };
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

  /** Decodes an int32. Records an error if the value does not fit. */
  int32(value: JsonValue | undefined, path: string): number | undefined {
    const integer = this.int64(value, path, 'int32');
    if (integer === undefined) return undefined;
    if (typeof integer === 'number' && integer >= -2147483648 && integer <= 2147483647) return integer;
    this.fail(integer, path, 'int32');
    return undefined;
  }

  /** Decodes a byte. Records an error and returns 0 if the value is not a byte. */
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

  /** Decodes the elements of a list. Returns undefined if the list is absent or null. */
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

  /** Decodes the entries of a map. Returns undefined if the map is absent or null, and also reports an error if it is no object. */
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

  /**
   * Returns the value if it is an object, and records its fields that are not in `known` (not at lenient positions). Returns undefined if it
   * is absent or null, and also reports an error if it is something else.
   */
  fields(value: JsonValue | undefined, path: string, goType: string, known: Pick<ReadonlySet<string>, 'has'>): JsonObject | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) {
      this.fail(value, path, goType);
      return undefined;
    }
    if (path !== '') this.#structs.set(path, goType.replace(/^v1\./, ''));
    for (const key of Object.keys(value)) {
      if (known.has(key)) continue;
      // At lenient positions, Kubernetes ignores unknown fields. An equal object at a strict position must report them, so it must not
      // reuse the result of this object.
      if (this.#lenient === 0) this.unknownFields.push(joinPath(path, key));
      else this.keepApart();
    }
    return value;
  }
}

/** Returns the description of a value for a decode error. For integer types, Go shows the number that does not fit. */
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

/** Returns the path of the field `key` inside `path`, for example `spec.names`. */
export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
