import { compareBytes, isJsonObject, newJsonObject, writeJson } from '#go';
import type { JsonValue } from '#go';

/** A place of a document: a node, or nothing, which is what the Go library makes of a JSON null. */
export type PatchPlace = PatchNode | null;

/** An object whose members were taken apart. Without members it is a Go nil map: it reads as empty and cannot be written to. */
export class ObjectPart {
  readonly members: Map<string, PatchPlace> | undefined;
  constructor(members: Map<string, PatchPlace> | undefined) {
    this.members = members;
  }
}

/** A list whose items were taken apart. */
export class ListPart {
  items: PatchPlace[];
  constructor(items: PatchPlace[]) {
    this.items = items;
  }
}

/** An object or a list, one level deep. */
export type Part = ObjectPart | ListPart;

/** Returns the part that a place holds for a value of the document. */
export const placeOf = (value: JsonValue): PatchPlace => (value === null ? null : new PatchNode(value));

function membersOf(value: JsonValue): ObjectPart | undefined {
  if (value === null) return new ObjectPart(undefined);
  if (!isJsonObject(value)) return undefined;
  return new ObjectPart(new Map(Object.entries(value).map(([key, member]) => [key, placeOf(member)])));
}

/**
 * A value of a document, taken apart no deeper than the operations of a patch reach, so that a patch costs what it touches. Source:
 * gopkg.in/evanphx/json-patch.v4 `lazyNode` (4.13.0).
 */
export class PatchNode {
  readonly #value: JsonValue;
  #part: Part | undefined;

  constructor(value: JsonValue) {
    this.#value = value;
  }

  /** Returns the parsed form of the value so far: undefined, an object or a list. */
  get part(): Part | undefined {
    return this.#part;
  }

  /** Takes an object (or null) apart; false where the value is something else. */
  tryObject(): boolean {
    const part = membersOf(this.#value);
    this.#part = part ?? this.#part;
    return part !== undefined;
  }

  /** Takes a list apart; false where the value is something else. */
  tryList(): boolean {
    if (this.#value === null) this.#part = new ListPart([]);
    else if (Array.isArray(this.#value)) this.#part = new ListPart(this.#value.map(placeOf));
    else return false;
    return true;
  }

  /** The part that a path leads through, or undefined for a scalar. */
  enter(): Part | undefined {
    if (this.#part === undefined) void (this.tryObject() || this.tryList());
    return this.#part;
  }

  /** The JSON text of a scalar, which is what a test compares. */
  scalarText(): string {
    return writeJson(this.#value);
  }

  /** Returns the value with all changes. It shares untouched parts with the document. */
  toValue(): JsonValue {
    return this.#part === undefined ? this.#value : valueOfPart(this.#part);
  }
}

const valueOf = (place: PatchPlace): JsonValue => (place === null ? null : place.toValue());

/** Returns the value of a part with all changes. Members are in the order in which Go writes maps, which errors of decoding show. */
export function valueOfPart(part: Part): JsonValue {
  if (part instanceof ListPart) return part.items.map(valueOf);
  if (part.members === undefined) return null;
  const object = newJsonObject();
  for (const [key, place] of [...part.members].sort(([a], [b]) => compareBytes(a, b))) object[key] = valueOf(place);
  return object;
}
