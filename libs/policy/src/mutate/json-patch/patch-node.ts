import { compareBytes, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonValue } from '#go';

/**
 * Value of an object's member or of a list's item in a document that a JSON patch changes. It is null for a JSON null, which the Go library
 * stores as a nil pointer.
 */
export type PatchPlace = PatchNode | null;

/**
 * JSON object whose direct members are parsed into nodes for a JSON patch. `members` is undefined if the object represents a nil map of Go.
 * A read of a nil map gives an empty map, and a write to a nil map panics.
 */
export class ObjectPart {
  readonly members: Map<string, PatchPlace> | undefined;
  constructor(members: Map<string, PatchPlace> | undefined) {
    this.members = members;
  }
}

/**
 * JSON list whose direct items are parsed into nodes for a JSON patch. Deeper values are parsed only if an operation of the patch needs
 * them.
 */
export class ListPart {
  items: PatchPlace[];
  constructor(items: PatchPlace[]) {
    this.items = items;
  }
}

/**
 * JSON object or list that a JSON patch works on. Its direct members or items are parsed into nodes, and deeper values are parsed only if
 * needed.
 */
export type PatchContainer = ObjectPart | ListPart;

/** Returns the node for a JSON value of the document, or null if the value is a JSON null. */
export const patchPlaceOf = (value: JsonValue): PatchPlace => (value === null ? null : new PatchNode(value));

function membersOf(value: JsonValue): ObjectPart | undefined {
  if (value === null) return new ObjectPart(undefined);
  if (!isJsonObject(value)) return undefined;
  return new ObjectPart(new Map(Object.entries(value).map(([key, member]) => [key, patchPlaceOf(member)])));
}

/**
 * Value in the document that a JSON patch changes. It is parsed lazily, only as deep as the operations of the patch need. The time for a
 * patch therefore depends only on the values that the patch reads or changes. Source: gopkg.in/evanphx/json-patch.v4 `lazyNode` (4.13.0).
 */
export class PatchNode {
  readonly #value: JsonValue;
  #part: PatchContainer | undefined;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  /** Object or list into which the value was parsed. Undefined if the value is not parsed or is a scalar. */
  get part(): PatchContainer | undefined {
    return this.#part;
  }

  /** Parses the value as an object, or as a nil map if it is null. Returns false if the value is of another type. */
  tryObject(): boolean {
    const part = membersOf(this.#value);
    this.#part = part ?? this.#part;
    return part !== undefined;
  }

  /** Parses the value as a list, or as an empty list if it is null. Returns false if the value is of another type. */
  tryList(): boolean {
    if (this.#value === null) this.#part = new ListPart([]);
    else if (Array.isArray(this.#value)) this.#part = new ListPart(this.#value.map(patchPlaceOf));
    else return false;
    return true;
  }

  /** Returns the object or list through which a path continues, and parses the value if necessary. Returns undefined for a scalar. */
  enter(): PatchContainer | undefined {
    if (this.#part === undefined) void (this.tryObject() || this.tryList());
    return this.#part;
  }

  /** Returns the JSON text of a scalar. A `test` operation compares these texts. */
  scalarText(): string {
    return writeJson(this.#value);
  }

  /** Returns the JSON value with all changes of the patch. Unchanged values are shared with the original document. */
  toValue(): JsonValue {
    return this.#part === undefined ? this.#value : valueOfPart(this.#part);
  }
}

const valueOf = (place: PatchPlace): JsonValue => (place === null ? null : place.toValue());

/**
 * Returns the JSON value of a parsed object or list, with the changes that the patch made in it. Members are sorted by key, as Go writes
 * maps, because decoding errors depend on the order of the members.
 */
export function valueOfPart(part: PatchContainer): JsonValue {
  if (part instanceof ListPart) return part.items.map(valueOf);
  if (part.members === undefined) return null;
  const object = newJsonObject();
  for (const [key, place] of [...part.members].sort(([a], [b]) => compareBytes(a, b))) object[key] = valueOf(place);
  return object;
}
