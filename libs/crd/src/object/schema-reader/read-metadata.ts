import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue, ByteCursor } from '#go';
import {
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  readObjectMeta,
  validateObjectMeta,
  checkDns1123Label,
  checkLabelValue,
  checkQualifiedName,
} from '#kube';
import type { ObjectMeta, MetaWording } from '#kube';
import type { ServedVersion } from '../served-version.ts';
import { dedupOwnerReferences, finalizerWarnings } from '../write/warnings.ts';
import { prepareNewMetadata } from '../write/prepare-object.ts';
import { sentIdentity } from '../check-identity.ts';
import { claimsRevision, dropClusterFields } from '../write/stored-object.ts';
import { coerceMetadata } from '../write/typed-metadata.ts';
import type { ReaderRun } from './reader-run.ts';

const DASH = 1;
const DOT = 2;
const UNDERSCORE = 3;
const UPPER = 4;
const LOWER = 5;

/**
 * Table that maps each byte to its kind in names. Only letters and digits have a kind of `UPPER` or higher. The kind 0 means that names
 * cannot contain the byte.
 */
const KINDS = kinds();

function kinds(): Uint8Array {
  const table = new Uint8Array(256);
  const fill = (first: string, last: string, kind: number): void => void table.fill(kind, first.charCodeAt(0), last.charCodeAt(0) + 1);
  fill('-', '-', DASH);
  fill('.', '.', DOT);
  fill('_', '_', UNDERSCORE);
  fill('A', 'Z', UPPER);
  fill('a', 'z', LOWER);
  fill('0', '9', LOWER);
  return table;
}

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;
const SLASH = 0x2f;

/**
 * Fast checks of names in the bytes of a document, which produce no errors. `true` means that the checks of `libs/kube/src/names.ts` accept
 * the name. `false` is inconclusive.
 */

/** Returns true if the bytes between two offsets are a lowercase RFC 1123 subdomain. */
export function isSubdomainAt(bytes: Uint8Array, from: number, to: number): boolean {
  return isDottedAt(bytes, from, to, LOWER);
}

/** Returns true if the bytes between two offsets are a lowercase RFC 1123 label. */
export function isLabelAt(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LABEL_LENGTH || !isDottedAt(bytes, from, to, LOWER)) return false;
  for (let at = from; at < to; at++) if (KINDS[bytes[at] as number] === DOT) return false;
  return true;
}

/** @param least Lowest accepted kind of byte: `LOWER`, or `UPPER` if capital letters are allowed. */
function isDottedAt(bytes: Uint8Array, from: number, to: number, least: number): boolean {
  if (to - from > SUBDOMAIN_LENGTH) return false;
  let before = DOT;
  for (let at = from; at < to; at++) {
    const kind = KINDS[bytes[at] as number] as number;
    if (kind < least && !(kind === DASH && before !== DOT) && !(kind === DOT && before >= least)) return false;
    before = kind;
  }
  return before >= least;
}

/**
 * Returns true if the bytes between two offsets are a qualified name: an optional subdomain with a slash, and a name.
 * @param subdomain Letters that the subdomain may contain.
 */
export function isQualifiedNameAt(bytes: Uint8Array, from: number, to: number, subdomain: 'lowercase' | 'anyCase'): boolean {
  let slash = to - 1;
  while (slash >= from && bytes[slash] !== SLASH) slash -= 1;
  const isName = slash < to - 1 && isNameAt(bytes, slash + 1, to);
  return isName && (slash < from || isDottedAt(bytes, from, slash, subdomain === 'anyCase' ? UPPER : LOWER));
}

/** Returns true if the bytes between two offsets are a valid label value. */
export function isLabelValueAt(bytes: Uint8Array, from: number, to: number): boolean {
  return from === to || isNameAt(bytes, from, to);
}

function isNameAt(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > LABEL_LENGTH) return false;
  if ((KINDS[bytes[from] as number] as number) < UPPER || (KINDS[bytes[to - 1] as number] as number) < UPPER) return false;
  for (let at = from; at < to; at++) if (KINDS[bytes[at] as number] === 0) return false;
  return true;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Function that returns true if a text is a valid name. In most cases the bytes decide; a text with escapes is checked as a string. */
type TextCheck = (text: string, bytes: Uint8Array, from: number, to: number) => boolean;

/** Checks of the keys and values of a map of texts in metadata, such as labels. */
interface TextMap {
  readonly isKey: TextCheck;
  readonly isValue: TextCheck;
}

/**
 * Reader of simple metadata: valid metadata that contain only name, namespace, labels and annotations, without empty names and maps. It
 * reads the bytes of the JSON document directly, and returns undefined for all other metadata.
 */
class PlainMetadata {
  readonly #isName: TextCheck = (text, bytes, from, to) => isSubdomainAt(bytes, from, to) || checkDns1123Subdomain(text).length === 0;
  readonly #isNamespace: TextCheck = (text, bytes, from, to) => isLabelAt(bytes, from, to) || checkDns1123Label(text).length === 0;
  readonly #labels: TextMap;
  readonly #annotations: TextMap;

  /** @param wording Wording of errors. It has no effect, because no errors are produced. */
  constructor(wording: MetaWording) {
    this.#labels = {
      isKey: (text, bytes, from, to) => isQualifiedNameAt(bytes, from, to, 'lowercase') || checkQualifiedName(text, wording).length === 0,
      isValue: (text, bytes, from, to) => isLabelValueAt(bytes, from, to) || checkLabelValue(text, wording).length === 0,
    };
    this.#annotations = {
      isKey: (text, bytes, from, to) =>
        isQualifiedNameAt(bytes, from, to, 'anyCase') || checkQualifiedName(text.toLowerCase(), wording).length === 0,
      isValue: () => true,
    };
  }

  read(cursor: ByteCursor): JsonObject | undefined {
    const metadata = newJsonObject();
    if (!openObject(cursor)) return undefined;
    for (;;) {
      const key = cursor.key();
      if (key === undefined || metadata[key] !== undefined || !passColon(cursor)) return undefined;
      const value = this.#field(cursor, key);
      if (value === undefined) return undefined;
      metadata[key] = value;
      const next = passNext(cursor);
      if (next !== COMMA) return next === CLOSE ? metadata : undefined;
    }
  }

  #field(cursor: ByteCursor, key: string): JsonObject | string | undefined {
    switch (key) {
      case 'name':
        return readText(cursor, this.#isName);
      case 'namespace':
        return readText(cursor, this.#isNamespace);
      case 'labels':
        return readTexts(cursor, this.#labels);
      case 'annotations':
        return readTexts(cursor, this.#annotations);
      default:
        return undefined;
    }
  }
}

/** Reads a text that is valid and not empty. Returns undefined for all other values. */
function readText(cursor: ByteCursor, isFine: TextCheck): string | undefined {
  const text = readChecked(cursor, isFine);
  return text === '' ? undefined : text;
}

function readChecked(cursor: ByteCursor, isFine: TextCheck): string | undefined {
  const from = cursor.at + 1;
  const text = cursor.string();
  return text !== undefined && isFine(text, cursor.bytes, from, cursor.at - 1) ? text : undefined;
}

/** Reads a map of texts in which all keys and values are valid. Returns undefined for all other values. */
function readTexts(cursor: ByteCursor, { isKey, isValue }: TextMap): JsonObject | undefined {
  const texts = newJsonObject();
  if (!openObject(cursor)) return undefined;
  for (;;) {
    const from = cursor.at + 1;
    const key = cursor.key();
    if (key === undefined || texts[key] !== undefined || !isKey(key, cursor.bytes, from, cursor.at - 1)) return undefined;
    const value = passColon(cursor) ? readChecked(cursor, isValue) : undefined;
    if (value === undefined) return undefined;
    texts[key] = value;
    const next = passNext(cursor);
    if (next !== COMMA) return next === CLOSE ? texts : undefined;
  }
}

function openObject(cursor: ByteCursor): boolean {
  if (cursor.bytes[cursor.at] !== OPEN) return false;
  cursor.at = cursor.skip(cursor.at + 1);
  return true;
}

function passColon(cursor: ByteCursor): boolean {
  const at = cursor.skip(cursor.at);
  cursor.at = cursor.skip(at + 1);
  return cursor.bytes[at] === COLON;
}

/**
 * Returns the byte after a value, such as a comma or a bracket. Moves the cursor past this byte and the space around it. Undefined at the
 * end of the text.
 */
function passNext(cursor: ByteCursor): number | undefined {
  const at = cursor.skip(cursor.at);
  cursor.at = cursor.skip(at + 1);
  return cursor.bytes[at];
}

/** Properties of a definition's version that affect how the metadata of its objects are read and validated. */
export type MetadataVersion = Pick<ServedVersion, 'namespaced' | 'wording'>;

/**
 * Size in bytes below which a document cannot have annotations that are too large. Source:
 * k8s.io/apimachinery/pkg/api/validation/objectmeta.go (1.37).
 */
const SMALL_DOCUMENT = 256 * 1024;

/**
 * Reader of an object's metadata for a generated schema reader (fast code that accepts most valid objects). It returns undefined if the
 * exact validation, which follows the server's steps one by one, must validate the metadata.
 *
 * For a create, the metadata are returned in their stored form. Plain metadata, which have only name, namespace, labels and annotations,
 * are read from the bytes. Other metadata, for example with owners or finalizers, are parsed and prepared in the server's steps. For an
 * update, the metadata are returned as sent, because the old metadata are applied later.
 */
export class MetadataReader {
  readonly #version: MetadataVersion;
  readonly #plain: PlainMetadata;

  constructor(version: MetadataVersion) {
    this.#version = version;
    this.#plain = new PlainMetadata(version.wording);
  }

  read(run: ReaderRun): JsonObject | undefined {
    if (run.isUpdate) return readRequestMetadata(run);
    const { cursor } = run;
    const { at, shift } = cursor;
    const plain = cursor.bytes.length < SMALL_DOCUMENT ? this.#readPlain(run) : undefined;
    if (plain !== undefined) return plain;
    cursor.rewind(at, shift);
    const value = cursor.value();
    return value === undefined ? undefined : this.#settle(value, run);
  }

  /**
   * Reads metadata that have only name, namespace, labels and annotations, and returns them in their stored form. Returns undefined for
   * other metadata.
   */
  #readPlain(run: ReaderRun): JsonObject | undefined {
    const metadata = this.#plain.read(run.cursor);
    if (metadata === undefined) return undefined;
    const { name, namespace } = metadata;
    if (typeof name !== 'string') return undefined;
    run.sent = typeof namespace === 'string' ? { name, namespace } : { name };
    // In plain metadata, a create (`prepareNewMetadata`) changes only the namespace and the generation.
    if (this.#version.namespaced) metadata['namespace'] ??= 'default';
    else if (namespace !== undefined) delete metadata['namespace'];
    metadata['generation'] = 1;
    return metadata;
  }

  /** Applies the steps of a create to metadata in the server's order. Returns undefined if a step finds an error, which is discarded. */
  #settle(value: JsonValue, run: ReaderRun): JsonObject | undefined {
    const { namespaced, wording } = this.#version;
    if (!isJsonObject(value)) return undefined;
    const identity = sentIdentity(value);
    const coerced = coerceMetadata(value, 'reject');
    if (!coerced.ok || coerced.unknownFields.length > 0) return undefined;
    const { metadata } = coerced;
    prepareNewMetadata(metadata, namespaced);
    if (metadata['resourceVersion'] !== undefined) {
      if (!run.mayTakeOff || !claimsRevision(metadata['resourceVersion'])) return undefined;
      delete metadata['resourceVersion'];
      run.tookOff = true;
    }
    if (dedupOwnerReferences(metadata) !== undefined) return undefined;
    const meta = readObjectMeta(metadata);
    if (!this.#isValid(meta) || finalizerWarnings(meta.finalizers, [], wording).length > 0) return undefined;
    dropClusterFields(metadata);
    run.sent = identity;
    return metadata;
  }

  #isValid(meta: ObjectMeta): boolean {
    const { namespaced, wording } = this.#version;
    const isResource = validateObjectMeta(meta, { namespaced, checkName: checkDns1123Subdomain, wording }, undefined).length === 0;
    const generic = { namespaced, checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix, wording };
    return isResource && validateObjectMeta(meta, generic, undefined).length === 0;
  }
}

/** Reads metadata and returns them in their sent form. Returns undefined if they have unknown fields. */
function readRequestMetadata(run: ReaderRun): JsonObject | undefined {
  const value = run.cursor.value();
  if (value === undefined || !isJsonObject(value)) return undefined;
  const identity = sentIdentity(value);
  const coerced = coerceMetadata(value, 'reject');
  if (!coerced.ok || coerced.unknownFields.length > 0) return undefined;
  run.sent = identity;
  return coerced.metadata;
}
