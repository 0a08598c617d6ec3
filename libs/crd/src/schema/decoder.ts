import { floatOf, isInt, isJsonObject, writeJson } from '#kube';
import type { JsonObject, JsonValue } from '#kube';

/** What Go calls the JSON kind of a value in decode errors. */
export function jsonKind(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return 'array';
  return isJsonObject(value) ? 'object' : 'number';
}

/**
 * Reads JSON into typed fields as Go's decoder does: null counts as absent, the first value of a wrong type is the error (reading goes on
 * with the zero value), and fields that a struct does not have are noted by path.
 * Source: sigs.k8s.io/json; paths as in its strict errors, `spec.versions[0].name`.
 */
export class Decoder {
  /** The first type error, in Go's words; undefined while all is well. */
  error: string | undefined;
  /** Paths of unknown fields, in document order. */
  readonly unknownFields: string[] = [];
  /** The Go types of the objects read so far, by path. */
  private readonly structs = new Map<string, string>();
  private readonly goPackage: string;
  private lenient = 0;

  /**
   * @param struct name of the outermost Go type, for error texts
   * @param goPackage the package of the Go types, which readers call `v1`
   */
  constructor(struct: string, goPackage = 'v1') {
    this.structs.set('', struct);
    this.goPackage = goPackage;
  }

  /** Runs a reader below which unknown fields go unnoticed: types with a JSON decoder of their own. */
  leniently<T>(read: () => T): T {
    this.lenient += 1;
    const value = read();
    this.lenient -= 1;
    return value;
  }

  fail(value: JsonValue, path: string, goType: string): void {
    if (this.error !== undefined) return;
    // Metadata has the same type in every API version.
    const type = goType === 'v1.ObjectMeta' ? goType : goType.replace(/(?<![A-Za-z])v1\./, `${this.goPackage}.`);
    const where = path === '' ? `Go value of type ${type}` : `Go struct field ${this.fieldName(path)} of type ${type}`;
    // Go shows numbers that a type of integers cannot hold.
    const shown =
      goType.startsWith('int') && (isInt(value) || floatOf(value) !== undefined) ? `number ${writeJson(value)}` : jsonKind(value);
    this.error = `json: cannot unmarshal ${shown} into ${where}`;
  }

  /** A field as Go names it: the innermost type, then the names of fields from the outermost one, without keys of maps and indices. */
  private fieldName(path: string): string {
    const around = [...this.structs.keys()].filter((struct) => struct === '' || (path !== struct && path.startsWith(`${struct}.`)));
    around.sort((a, b) => a.length - b.length);
    const names = around.map((struct) => /^[^.[]*/.exec(path.slice(struct === '' ? 0 : struct.length + 1))?.[0] ?? '');
    return `${this.structs.get(around.at(-1) ?? '') ?? ''}.${names.join('.')}`;
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

  int64(value: JsonValue | undefined, path: string): number | bigint | undefined {
    if (value === undefined || value === null) return undefined;
    if (isInt(value)) return value;
    this.fail(value, path, 'int64');
    return undefined;
  }

  /** An int32; what does not fit is an error. */
  int32(value: JsonValue | undefined, path: string): number | undefined {
    const integer = this.int64(value, path);
    if (integer === undefined) return undefined;
    if (typeof integer === 'number' && integer >= -2147483648 && integer <= 2147483647) return integer;
    this.fail(integer, path, 'int32');
    return undefined;
  }

  float64(value: JsonValue | undefined, path: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    const float = isInt(value) ? Number(value) : floatOf(value);
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
  fields(value: JsonValue | undefined, path: string, goType: string, known: ReadonlySet<string>): JsonObject | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isJsonObject(value)) {
      this.fail(value, path, goType);
      return undefined;
    }
    if (path !== '') this.structs.set(path, goType.replace(/^v1\./, ''));
    if (this.lenient === 0) {
      for (const key of Object.keys(value)) if (!known.has(key)) this.unknownFields.push(joinPath(path, key));
    }
    return value;
  }
}

/** The path of a field: `spec.names`. */
export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
