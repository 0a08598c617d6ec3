import { compareBytes, goQuote, isJsonObject, machineInteger, newJsonObject, writeJson } from '#go';
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

/**
 * Result of looking up one step of a JSON patch path: the value that was found, or a failure. A found null is a JSON null or an absent
 * member of an object.
 */
export type StepResult = { readonly kind: 'found'; readonly place: PatchPlace } | PatchFailure;

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;

/** Parses a list index as Go's strconv.Atoi does, which also accepts `+1` and `007`. */
function readIndex(key: string): number | PatchFailure {
  const syntax = /^[+-]?\d+$/.test(key);
  const value = syntax ? machineInteger(key) : undefined;
  if (value !== undefined && value >= MIN_INT && value <= MAX_INT) return Number(value);
  return { kind: 'failed', error: `strconv.Atoi: parsing ${goQuote(key)}: ${syntax ? 'value out of range' : 'invalid syntax'}` };
}

const invalidIndex = (index: number): PatchFailure => failed(`Unable to access invalid index: ${index}`, INVALID_INDEX);

/** Returns the position for an index in a list of `length` elements. A negative index counts from the end. */
function locate(key: string, length: number): number | PatchFailure {
  const index = readIndex(key);
  if (typeof index !== 'number') return index;
  return index >= length || index < -length ? invalidIndex(index) : index < 0 ? index + length : index;
}

/**
 * Returns the member of an object or the item of a list that `key` selects. Returns null for an absent member, and the failure if `key` is
 * no valid index of the list.
 */
export function readPlace(part: PatchContainer, key: string): StepResult {
  if (!(part instanceof ListPart)) return { kind: 'found', place: part.members?.get(key) ?? null };
  const index = locate(key, part.items.length);
  return typeof index === 'number' ? { kind: 'found', place: part.items[index] ?? null } : index;
}

function setMember(members: Map<string, PatchPlace> | undefined, key: string, place: PatchPlace): PatchFailure | undefined {
  members?.set(key, place);
  return members === undefined ? NIL_MAP : undefined;
}

/**
 * Sets an existing or new member of an object, or replaces an existing item of a list. Returns the failure, or undefined if there is none.
 */
export function overwritePlace(part: PatchContainer, key: string, place: PatchPlace): PatchFailure | undefined {
  if (!(part instanceof ListPart)) return setMember(part.members, key, place);
  const index = locate(key, part.items.length);
  if (typeof index !== 'number') return index;
  part.items[index] = place;
  return undefined;
}

/**
 * Sets a member of an object, or inserts an item before an index of a list. The key `-` appends the item at the end of the list. Returns
 * the failure of the patch if the value cannot be added; otherwise undefined.
 */
export function addPlace(part: PatchContainer, key: string, place: PatchPlace): PatchFailure | undefined {
  if (!(part instanceof ListPart)) return setMember(part.members, key, place);
  if (key === '-') {
    part.items.push(place);
    return undefined;
  }
  const syntax = readIndex(key);
  if (typeof syntax !== 'number' && syntax.kind === 'failed') return failed(`value was not a proper array index: '${key}'`, syntax.error);
  const index = locate(key, part.items.length + 1);
  if (typeof index !== 'number') return index;
  part.items.splice(index, 0, place);
  return undefined;
}

/**
 * Removes a member of an object or an item of a list. `key` is the name of the member or the index of the item. Returns the failure, or
 * undefined if there is none.
 */
export function removePlace(part: PatchContainer, key: string): PatchFailure | undefined {
  if (!(part instanceof ListPart)) {
    const removed = part.members?.delete(key) ?? false;
    return removed ? undefined : failed(`Unable to remove nonexistent key: ${key}`, MISSING);
  }
  const index = locate(key, part.items.length);
  if (typeof index !== 'number') return index;
  part.items.splice(index, 1);
  return undefined;
}

const decodeKey = (token: string): string => token.replaceAll(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));

/**
 * Follows a path to its last token. Returns that token and the object or list to which the token applies. Text before the first slash is
 * ignored. Returns undefined if the path cannot be followed.
 */
export function findParent(root: PatchContainer, path: string): { readonly parent: PatchContainer; readonly key: string } | undefined {
  const [, ...tokens] = path.split('/');
  const last = tokens.pop();
  if (last === undefined) return undefined;
  let parent = root;
  for (const token of tokens) {
    const next = readPlace(parent, decodeKey(token));
    const part = next.kind === 'found' ? next.place?.enter() : undefined;
    if (part === undefined) return undefined;
    parent = part;
  }
  return { parent, key: decodeKey(last) };
}

/** Reason why an operation of a JSON patch cannot be applied. */
export type PatchFailure =
  | { readonly kind: 'failed'; readonly error: string }
  /** Failure of a `test` operation. The whole patch then changes nothing, but this is no error. */
  | { readonly kind: 'test-failed' }
  /** Panic of the Go code because of a nil value. A server answers such a request with its handler for panics. */
  | { readonly kind: 'panicked'; readonly error: string };

/** Result of applying a JSON patch: the patched document or a failure. */
export type PatchOutcome = PatchFailure | { readonly kind: 'patched'; readonly document: JsonValue };

/**
 * Returns a failure with the error text `text: cause`, as the Go library for JSON patches writes it. `cause` is an error text of this
 * library, such as {@link MISSING}.
 */
export const failed = (text: string, cause: string): PatchFailure => ({ kind: 'failed', error: `${text}: ${cause}` });

/** Returns `failure` with `text: ` before its error text. Failures whose kind is not `failed` are returned unchanged. */
export const failedIn = (text: string, failure: PatchFailure): PatchFailure =>
  failure.kind === 'failed' ? failed(text, failure.error) : failure;

/** Panic of Go's JSON Patch library when it dereferences a nil node. */
export const NIL_NODE: PatchFailure = { kind: 'panicked', error: 'runtime error: invalid memory address or nil pointer dereference' };

/** Panic of Go's JSON Patch library when a patch sets a member of an object that is null in the document. */
const NIL_MAP: PatchFailure = { kind: 'panicked', error: 'assignment to entry in nil map' };

/** Error text of Go's JSON Patch library if the patched document does not have a member that the patch needs. */
export const MISSING = 'missing value';

/** Error text of the Go library for an index that lies outside a list. */
const INVALID_INDEX = 'invalid index referenced';
