import { isJsonObject, utf8Length, writeJson, Float, intValue, newJsonObject, isPrintable } from '#go';
import type { JsonValue } from '#go';
import {
  addPlace,
  failed,
  failedIn,
  findParent,
  ListPart,
  MISSING,
  NIL_NODE,
  ObjectPart,
  overwritePlace,
  PatchNode,
  patchPlaceOf,
  readPlace,
  removePlace,
  valueOfPart,
} from './patch-tree.ts';
import type { PatchContainer, PatchFailure, PatchOutcome, PatchPlace } from './patch-tree.ts';

/**
 * Patch operation that an expression creates with `JSONPatch{…}`. `from` is empty and `value` is undefined if the expression does not set
 * them.
 */
export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value?: JsonValue;
}

/** Settings that reproduce a kube-apiserver's JSON patch library (json-patch.v4). */
export interface PatchRules {
  /**
   * Maximum number of bytes by which all `copy` operations of a patch together may enlarge the document. 0 means no limit. A kube-apiserver
   * uses 3 MiB.
   */
  readonly copyLimit: number;
  /**
   * Version of the patch library. In 4.12 (until Kubernetes 1.34), replacing the whole document by a scalar has no effect, and a `test`
   * operation without a value may panic.
   */
  readonly release: '4.12' | '4.13';
}

/**
 * State while a patch is applied: the document and the number of copied bytes. A `replace` operation on the whole document exchanges
 * `root`.
 */
interface Work {
  root: PatchContainer;
  copied: number;
  readonly rules: PatchRules;
}

type Step = (work: Work, operation: PatchOperation) => PatchFailure | undefined;

/**
 * Returns a path as the patch library reads it. The API server quotes the path as a Go string, and the library parses this string as JSON.
 * Returns a failure if the string is not valid JSON.
 */
function readPath(text: string, words: string): string | PatchFailure {
  const read = throughGoQuotes(text);
  return read.ok ? read.text : failed(words, read.error);
}

function readFrom(operation: PatchOperation): string | PatchFailure {
  const words = `${operation.op} operation failed to decode from`;
  return operation.from === '' ? failed(words, `operation, missing from field: ${MISSING}`) : readPath(operation.from, words);
}

/** Returns the path of an operation as {@link readPath} does. If this fails, the error text omits the cause. */
function readPathBriefly(operation: PatchOperation): string | PatchFailure {
  const read = throughGoQuotes(operation.path);
  return read.ok ? read.text : failed(`${operation.op} operation failed to decode path`, MISSING);
}

const givenNode = (operation: PatchOperation): PatchPlace => (operation.value === undefined ? null : new PatchNode(operation.value));

const add: Step = (work, operation) => {
  const path = readPathBriefly(operation);
  if (typeof path !== 'string') return path;
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`add operation does not apply: doc is missing path: "${path}"`, MISSING);
  const failure = addPlace(target.parent, target.key, givenNode(operation));
  return failure && failedIn(`error in add for path: '${path}'`, failure);
};

const remove: Step = (work, operation) => {
  const path = readPathBriefly(operation);
  if (typeof path !== 'string') return path;
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`remove operation does not apply: doc is missing path: "${path}"`, MISSING);
  const failure = removePlace(target.parent, target.key);
  return failure && failedIn(`error in remove for path: '${path}'`, failure);
};

function replaceDocument(work: Work, operation: PatchOperation): PatchFailure | undefined {
  const node = givenNode(operation);
  if (node === null) return NIL_NODE;
  if (!node.tryObject() && !node.tryList()) {
    return work.rules.release === '4.12' ? undefined : failed('replace operation value must be object or array', '%!w(<nil>)');
  }
  work.root = node.part ?? work.root;
  return undefined;
}

const replace: Step = (work, operation) => {
  const path = readPath(operation.path, 'replace operation failed to decode path');
  if (typeof path !== 'string') return path;
  if (path === '') return replaceDocument(work, operation);
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`replace operation does not apply: doc is missing path: ${path}`, MISSING);
  if (readPlace(target.parent, target.key).kind !== 'found') {
    return failed(`replace operation does not apply: doc is missing key: ${path}`, MISSING);
  }
  const failure = overwritePlace(target.parent, target.key, givenNode(operation));
  return failure && failedIn(`error in remove for path: '${path}'`, failure);
};

const move: Step = (work, operation) => {
  const from = readFrom(operation);
  if (typeof from !== 'string') return from;
  const source = findParent(work.root, from);
  if (source === undefined) return failed(`move operation does not apply: doc is missing from path: ${from}`, MISSING);
  const reading = readPlace(source.parent, source.key);
  if (reading.kind !== 'found') return failedIn(`error in move for path: '${source.key}'`, reading);
  const removal = removePlace(source.parent, source.key);
  if (removal !== undefined) return failedIn(`error in move for path: '${source.key}'`, removal);
  const path = readPath(operation.path, 'move operation failed to decode path');
  if (typeof path !== 'string') return path;
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`move operation does not apply: doc is missing destination path: ${path}`, MISSING);
  const failure = addPlace(target.parent, target.key, reading.place);
  return failure && failedIn(`error in move for path: '${path}'`, failure);
};

const copy: Step = (work, operation) => {
  const from = readFrom(operation);
  if (typeof from !== 'string') return from;
  const source = findParent(work.root, from);
  if (source === undefined) return failed(`copy operation does not apply: doc is missing from path: ${from}`, MISSING);
  const reading = readPlace(source.parent, source.key);
  if (reading.kind !== 'found') return failedIn(`error in copy for from: '${from}'`, reading);
  const path = readPathBriefly(operation);
  if (typeof path !== 'string') return path;
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`copy operation does not apply: doc is missing destination path: ${path}`, MISSING);
  const value = reading.place?.toValue() ?? null;
  const excess = countCopy(work, value);
  if (excess !== undefined) return excess;
  const failure = addPlace(target.parent, target.key, reading.place === null ? null : new PatchNode(value));
  return failure && failedIn('error while adding value during copy', failure);
};

function countCopy(work: Work, value: JsonValue): PatchFailure | undefined {
  const limit = work.rules.copyLimit;
  if (limit === 0 || value === null) return undefined;
  work.copied += utf8Length(writeJson(value));
  if (work.copied <= limit) return undefined;
  const error = `Unable to complete the copy, the accumulated size increase of copy is ${work.copied}, exceeding the limit ${limit}`;
  return { kind: 'failed', error };
}

function compare(place: PatchPlace, operation: PatchOperation): PatchFailure | undefined {
  const expected = givenNode(operation);
  if (place === null) return expected === null ? undefined : { kind: 'test-failed' };
  if (expected === null) return { kind: 'test-failed' };
  const equal = equalNodes(place, expected);
  return equal === 'panics' ? NIL_NODE : equal ? undefined : { kind: 'test-failed' };
}

const test: Step = (work, operation) => {
  const path = readPath(operation.path, 'test operation failed to decode path');
  if (typeof path !== 'string') return path;
  if (path === '') return operation.value === undefined ? NIL_NODE : compare(new PatchNode(valueOfPart(work.root)), operation);
  const target = findParent(work.root, path);
  if (target === undefined) return failed(`test operation does not apply: is missing path: ${path}`, MISSING);
  const reading = readPlace(target.parent, target.key);
  if (reading.kind !== 'found') return failedIn(`error in test for path: '${path}'`, reading);
  if (reading.place === null && operation.value === undefined && work.rules.release === '4.12') return NIL_NODE;
  return compare(reading.place, operation);
};

const STEPS: ReadonlyMap<string, Step> = new Map(Object.entries({ add, remove, replace, move, copy, test }));

function takeApart(document: JsonValue): PatchContainer {
  if (Array.isArray(document)) return new ListPart(document.map(patchPlaceOf));
  return new ObjectPart(
    isJsonObject(document) ? new Map(Object.entries(document).map(([key, value]) => [key, patchPlaceOf(value)])) : undefined,
  );
}

/**
 * Applies the operations of a patch in order, according to RFC 6902 as the Go library implements it. `replace` and `add` treat absent
 * members in the same way, indexes may be negative, and a path cannot continue through a null. The input document is not changed. Source:
 * gopkg.in/evanphx/json-patch.v4 patch.go (4.13.0; 4.12.0 until 1.34).
 */
export function applyJsonPatch(document: JsonValue, patch: readonly PatchOperation[], rules: PatchRules): PatchOutcome {
  const work: Work = { root: takeApart(document), copied: 0, rules };
  for (const operation of patch) {
    const name = throughGoQuotes(operation.op);
    const step = name.ok ? STEPS.get(name.text) : undefined;
    const failure = step
      ? step(work, operation)
      : ({ kind: 'failed', error: `Unexpected kind: ${name.ok ? name.text : 'unknown'}` } as const);
    if (failure !== undefined) return failure;
  }
  return { kind: 'patched', document: asDecoded(valueOfPart(work.root)) };
}

const INT64_LIMIT = 2 ** 63;

/**
 * Returns true if `value` contains an integral float64 at any depth. Only such floats change if a value is written as JSON and read again.
 */
function holdsIntegralFloat(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Float) return true;
  const parts = Array.isArray(value) ? value : Object.values(value);
  for (const part of parts) if (holdsIntegralFloat(part)) return true;
  return false;
}

function decode(value: JsonValue): JsonValue {
  if (value instanceof Float) return Math.abs(value.value) < INT64_LIMIT ? intValue(BigInt(value.value)) : value;
  if (Array.isArray(value)) return value.map(decode);
  if (!isJsonObject(value)) return value;
  const decoded = newJsonObject();
  for (const key of Object.keys(value)) decoded[key] = decode(value[key] ?? null);
  return decoded;
}

/**
 * Returns the value that results if `value` is written as JSON and read again. Integral floats are written without a decimal point and
 * therefore become int64.
 */
function asDecoded(value: JsonValue): JsonValue {
  return holdsIntegralFloat(value) ? decode(value) : value;
}

/**
 * Result of quoting a text as a Go string and parsing that string as JSON. It contains the text, or an error if Go's quoting uses an escape
 * sequence that JSON does not define.
 */
type QuotedText = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly error: string };

const SUSPECT = /[\u0000-\u001f\u007f]|[\u{10000}-\u{10ffff}]/gu;

/**
 * Returns the letter of the escape sequence that strconv.Quote writes for `rune`. Returns undefined if there is no escape sequence or if
 * JSON defines it.
 */
function foreignEscape(rune: string): string | undefined {
  const code = rune.codePointAt(0) ?? 0;
  if (code > 0xffff) return isPrintable(rune) ? undefined : 'U';
  if (code === 0x07) return 'a';
  if (code === 0x0b) return 'v';
  return '\b\f\n\r\t'.includes(rune) ? undefined : 'x';
}

/**
 * Returns `text` as the patch library reads it. The API server quotes the text as a Go string, and the library parses this string as JSON.
 * Fails if Go's quoting uses an escape sequence that JSON does not define. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go (1.37).
 */
function throughGoQuotes(text: string): QuotedText {
  for (const [rune] of text.matchAll(SUSPECT)) {
    const letter = foreignEscape(rune);
    if (letter !== undefined) return { ok: false, error: `invalid character '${letter}' in string escape code` };
  }
  return { ok: true, text };
}

/**
 * Result of comparing two JSON nodes in a `test` operation of a JSON patch. `panics` means that the Go library dereferences a nil pointer
 * because a list item is null.
 */
type Comparison = boolean | 'panics';

function equalPlaces(a: PatchPlace, b: PatchPlace): Comparison {
  return a === null || b === null ? 'panics' : equalNodes(a, b);
}

function equalMembers(a: ObjectPart, b: ObjectPart): Comparison {
  if ((a.members?.size ?? 0) !== (b.members?.size ?? 0)) return false;
  for (const [key, place] of a.members ?? []) {
    const other = b.members?.get(key);
    if (other === undefined || (place === null) !== (other === null)) return false;
    const equal = place === null || equalPlaces(place, other);
    if (equal !== true) return equal;
  }
  return true;
}

function equalItems(a: readonly PatchPlace[], b: readonly PatchPlace[]): Comparison {
  if (a.length !== b.length) return false;
  for (const [index, place] of a.entries()) {
    const equal = equalPlaces(place, b[index] ?? null);
    if (equal !== true) return equal;
  }
  return true;
}

/**
 * Compares two nodes as a `test` operation of a JSON patch does. Scalars are compared by their JSON text, so 1 differs from 1.5 but not
 * from 1.0. A null is treated as an empty object or list. Source: gopkg.in/evanphx/json-patch.v4 `lazyNode.equal` (4.13.0).
 */
function equalNodes(a: PatchNode, b: PatchNode): Comparison {
  if (a.part === undefined && !a.tryObject() && !a.tryList()) return b.part === undefined && a.scalarText() === b.scalarText();
  if (a.part instanceof ObjectPart) {
    if (b.part === undefined && !b.tryObject()) return false;
    return b.part instanceof ObjectPart && equalMembers(a.part, b.part);
  }
  if (!(b.part instanceof ListPart) && !b.tryList()) return false;
  return a.part instanceof ListPart && b.part instanceof ListPart && equalItems(a.part.items, b.part.items);
}
