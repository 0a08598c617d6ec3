import type { Minor } from '#kube';
import { minorNumber } from '#kube';
import type { JsonValue } from '#go';
import { types as typeLines } from './generated/table.ts';
import type { FieldMerge, GoType, OwnTypeName, ScalarType, GoStructField, StructType } from './go-type.ts';

/**
 * Notation of the table, by line:
 *
 * | line                      | means                                                                                 |
 * | ------------------------- | ------------------------------------------------------------------------------------- |
 * | `@core/v1`                | types of this package follow                                                          |
 * | `#PodSpec`                | a struct, whose fields follow                                                         |
 * | `:PodPhase string`        | another name for an unnamed type                                                      |
 * | `!Quantity`               | a type that reads itself from JSON                                                    |
 * | `atomic`                  | the struct is merged as a whole                                                       |
 * | `=VolumeSource .VolumeSource` | an embedded struct                                                                |
 * | `ports? []*.Port by=port,protocol def="TCP" +31-35` | a field: its name, Go type, merge setting, default and minor versions |
 *
 * `?` means omitempty, `?0` omitzero. If a Go type has a dot without a package, the dot means the package of the line's own type. `def` is
 * the value of a key that an element lacks.
 */
interface TypeLines {
  readonly pack: string;
  readonly header: string;
  /** Index of the first line after the type's header line, from 0 among all lines of the table. */
  readonly from: number;
  readonly to: number;
}

interface TableIndex {
  readonly lines: readonly string[];
  readonly types: ReadonlyMap<string, TypeLines>;
}

const HEADER = /^[#:!@]/;
const FIELD = /^([^ ?]+)(\?0?)? (\S+)(?: by=(\S+)| (set|atomic|granular))?(?: def=(\S+))?(?: ([+-]\S+))?$/;

function indexTable(): TableIndex {
  const lines = typeLines().split('\n');
  const types = new Map<string, TypeLines>();
  let pack = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line.startsWith('@')) pack = line.slice(1);
    if (!/^[#:!]/.test(line)) continue;
    let to = at + 1;
    while (to < lines.length && lines[to] !== '' && !HEADER.test(lines[to] as string)) to++;
    const local = line.slice(1).split(' ', 1)[0] as string;
    types.set(`${pack}.${local}`, { pack, header: line, from: at + 1, to });
  }
  return { lines, types };
}

const SCALARS: readonly string[] = ['string', 'bool', 'int32', 'int64', 'uint8'];
const isScalar = (name: string): name is ScalarType['kind'] => SCALARS.includes(name);

const OWN: readonly string[] = ['Quantity', 'IntOrString', 'Time', 'MicroTime', 'Duration', 'RawExtension', 'FieldsV1'];
const isOwn = (name: string): name is OwnTypeName => OWN.includes(name);

/** Go types of the built-in kinds in one Kubernetes minor version. Each type is read from the table when it is first used. */
export class BuiltInTypes {
  readonly minor: Minor;
  readonly #known = new Map<string, GoType>();
  readonly #index: TableIndex;

  constructor(minor: Minor, index: TableIndex) {
    this.minor = minor;
    this.#index = index;
  }

  /** Returns the struct with the given name, which includes the package: `core/v1.PodSpec`. */
  struct(name: string): StructType {
    const type = this.#named(name);
    if (type.kind !== 'struct') throw new Error(`${name} is no struct`);
    return type;
  }

  #named(name: string): GoType {
    let type = this.#known.get(name);
    if (type === undefined) {
      type = this.#readNamed(name);
      this.#known.set(name, type);
    }
    return type;
  }

  #readNamed(name: string): GoType {
    const lines = this.#index.types.get(name);
    if (lines === undefined) throw new Error(`no type ${name} in the table`);
    const text = name.slice(name.lastIndexOf('/') + 1);
    const local = name.slice(name.lastIndexOf('.') + 1);
    if (lines.header.startsWith('!')) {
      if (!isOwn(local)) throw new Error(`${name} reads itself in a way that is not known`);
      return { kind: 'own', name: local, text };
    }
    if (lines.header.startsWith(':')) return { ...this.#parse(lines.header.split(' ')[1] as string, lines.pack), text };
    const below = this.#index.lines.slice(lines.from, lines.to);
    const isAtomic = below.some((line) => isAtomicMark(line) && holdsIn(line.split(' ')[1], minorNumber(this.minor)));
    return new LazyStruct(name, text, isAtomic, () => this.#fields(below, lines.pack));
  }

  /** Parses a Go type in the notation of the table. Names without a package refer to the package `pack`. */
  #parse(notation: string, pack: string): GoType {
    if (isScalar(notation)) return { kind: notation, text: notation };
    if (notation.startsWith('*')) {
      const to = this.#parse(notation.slice(1), pack);
      return { kind: 'pointer', to, text: `*${to.text}` };
    }
    if (notation === '[]uint8') return { kind: 'bytes', text: notation };
    if (notation.startsWith('[]')) {
      const of = this.#parse(notation.slice(2), pack);
      return { kind: 'list', of, text: `[]${of.text}` };
    }
    if (notation.startsWith('map[')) {
      const end = notation.indexOf(']');
      const key = this.#parse(notation.slice(4, end), pack);
      const of = this.#parse(notation.slice(end + 1), pack);
      return { kind: 'map', of, text: `map[${key.text}]${of.text}` };
    }
    return this.#named(notation.startsWith('.') ? pack + notation : notation);
  }

  #fields(lines: readonly string[], pack: string): ReadonlyMap<string, GoStructField> {
    const fields = new Map<string, GoStructField>();
    for (const line of lines) {
      if (isAtomicMark(line)) continue;
      if (line.startsWith('=')) this.#addEmbedded(fields, line, pack);
      else this.#addField(fields, line, pack);
    }
    return fields;
  }

  #addEmbedded(fields: Map<string, GoStructField>, line: string, pack: string): void {
    const [goName = '', notation = '', range] = line.slice(1).split(' ');
    if (!holdsIn(range, minorNumber(this.minor))) return;
    const type = this.#parse(notation, pack);
    if (type.kind !== 'struct') throw new Error(`${line}: only structs are embedded`);
    for (const field of type.fields.values()) fields.set(field.name, { ...field, embeddedIn: [goName, ...field.embeddedIn] });
  }

  #addField(fields: Map<string, GoStructField>, line: string, pack: string): void {
    const match = FIELD.exec(line);
    if (match === null) throw new Error(`not a line of the table: ${line}`);
    const [, name = '', omit, notation = '', keys, merge, keyDefault, range] = match;
    if (!holdsIn(range, minorNumber(this.minor))) return;
    fields.set(name, {
      name,
      type: this.#parse(notation, pack),
      omitEmpty: omit !== undefined,
      omitZero: omit === '?0',
      embeddedIn: [],
      merge: fieldMerge(keys, merge),
      keyDefault: keyDefault === undefined ? undefined : (JSON.parse(keyDefault) as JsonValue),
    });
  }
}

/**
 * Returns true if a line below a struct's header marks the struct as atomic. A line of a field named `atomic` differs, because it contains
 * the field's type.
 */
const isAtomicMark = (line: string): boolean => /^atomic(?: [+-]\d\S*)?$/.test(line);

function fieldMerge(keys: string | undefined, merge: string | undefined): FieldMerge | undefined {
  if (keys !== undefined) return { kind: 'map', keys: keys.split(',') };
  return merge === 'set' || merge === 'atomic' || merge === 'granular' ? { kind: merge } : undefined;
}

/**
 * Returns true if Go encodes the field even if it is absent in the object. `omitempty` has no effect on structs and on types with their own
 * decoder, because they are never empty.
 */
function isAlwaysShown({ omitEmpty, omitZero, type }: GoStructField): boolean {
  return !omitZero && (!omitEmpty || type.kind === 'struct' || type.kind === 'own');
}

/** A struct whose fields are read from the table at the first access. This is necessary because types refer to each other in cycles. */
class LazyStruct implements StructType {
  readonly kind = 'struct';
  readonly name: string;
  readonly text: string;
  readonly isAtomic: boolean;
  readonly #read: () => ReadonlyMap<string, GoStructField>;
  #known: ReadonlyMap<string, GoStructField> | undefined;
  #shown: readonly GoStructField[] | undefined;

  constructor(name: string, text: string, isAtomic: boolean, read: () => ReadonlyMap<string, GoStructField>) {
    this.name = name;
    this.text = text;
    this.isAtomic = isAtomic;
    this.#read = read;
  }

  get fields(): ReadonlyMap<string, GoStructField> {
    return (this.#known ??= this.#read());
  }

  get alwaysShown(): readonly GoStructField[] {
    return (this.#shown ??= [...this.fields.values()].filter(isAlwaysShown));
  }
}

const indexes: TableIndex[] = [];
const tables = new Map<Minor, BuiltInTypes>();

/** Returns the Go types of the built-in kinds in a Kubernetes minor version. The table of all types is read at the first call. */
export function builtInTypes(minor: Minor): BuiltInTypes {
  let types = tables.get(minor);
  if (types === undefined) {
    const index = indexes[0] ?? indexTable();
    indexes[0] = index;
    types = new BuiltInTypes(minor, index);
    tables.set(minor, types);
  }
  return types;
}

/**
 * Returns true if a version range in the table of built-in kinds includes a Kubernetes minor version. `+31` means from 1.31 on, `-35`
 * before 1.35, `+31-35` both; undefined means always.
 */
export function holdsIn(range: string | undefined, minor: number): boolean {
  if (range === undefined) return true;
  const match = /^(?:\+(\d+))?(?:-(\d+))?$/.exec(range);
  if (match === null) throw new Error(`not a range of minors: ${range}`);
  const [, since, until] = match;
  return (since === undefined || minor >= Number(since)) && (until === undefined || minor < Number(until));
}
