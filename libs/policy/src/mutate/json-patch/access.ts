import { goQuote, machineInteger } from '#go';
import { failed, INVALID_INDEX, MISSING, NIL_MAP } from './outcome.ts';
import type { PatchFailure } from './outcome.ts';
import { ListPart } from './patch-node.ts';
import type { PatchContainer, PatchPlace } from './patch-node.ts';

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
