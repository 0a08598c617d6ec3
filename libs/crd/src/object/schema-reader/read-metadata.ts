import { isJsonObject, newJsonObject } from '#go';
import type { ByteCursor, JsonObject, JsonValue } from '#go';
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelValue,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  checkQualifiedName,
  readObjectMeta,
  validateObjectMeta,
} from '#kube';
import type { ObjectMeta } from '#kube';
import type { ServedVersion } from '../served-version.ts';
import { dedupOwnerReferences } from '../write/dedup-owners.ts';
import { finalizerWarnings } from '../write/finalizer-warnings.ts';
import { prepareNewMetadata } from '../write/prepare-object.ts';
import { sentIdentity } from '../write/sent-identity.ts';
import { claimsRevision, dropClusterFields } from '../write/stored-object.ts';
import { coerceMetadata } from '../write/typed-metadata.ts';
import type { ReaderRun } from './reader-run.ts';

/** What of a version the metadata of its objects depends on. */
export type MetadataVersion = Pick<ServedVersion, 'namespaced' | 'wording'>;

/** Bytes of a document below which its annotations cannot be too large. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go (1.37). */
const SMALL_DOCUMENT = 256 * 1024;

/**
 * Reads the metadata of a create, as it is stored: plain metadata on the bytes, whatever else there may be (owners, finalizers, what a cluster wrote) through
 * the exact steps; and that of an update as it was sent, since it is judged beside the older one. Undefined where the exact code has the word.
 */
export class MetadataReader {
  readonly #version: MetadataVersion;

  constructor(version: MetadataVersion) {
    this.#version = version;
  }

  read(run: ReaderRun): JsonObject | undefined {
    if (run.isUpdate) return readSent(run);
    const { cursor } = run;
    const { at, shift } = cursor;
    const plain = cursor.bytes.length < SMALL_DOCUMENT ? this.#readPlain(run) : undefined;
    if (plain !== undefined) return plain;
    cursor.rewind(at, shift);
    const value = cursor.value();
    return value === undefined ? undefined : this.#settle(value, run);
  }

  /** Metadata of nothing but name, namespace, labels and annotations, none of them empty. */
  #readPlain(run: ReaderRun): JsonObject | undefined {
    const { cursor } = run;
    const metadata = newJsonObject();
    if (!readFields(cursor, (key) => metadata[key] === undefined && this.#readField(cursor, key, metadata))) return undefined;
    const { name, namespace } = metadata;
    if (typeof name !== 'string') return undefined;
    run.sent = typeof namespace === 'string' ? { name, namespace } : { name };
    // Of what a create takes off or adds (`prepareNewMetadata`) plain metadata knows these two.
    if (this.#version.namespaced) metadata['namespace'] ??= 'default';
    else if (namespace !== undefined) delete metadata['namespace'];
    metadata['generation'] = 1;
    return metadata;
  }

  #readField(cursor: ByteCursor, key: string, metadata: JsonObject): boolean {
    const { wording } = this.#version;
    switch (key) {
      case 'name': {
        const name = cursor.string();
        if (name === undefined || name === '' || checkDns1123Subdomain(name).length > 0) return false;
        metadata[key] = name;
        return true;
      }
      case 'namespace': {
        const namespace = cursor.string();
        if (namespace === undefined || namespace === '' || checkDns1123Label(namespace).length > 0) return false;
        metadata[key] = namespace;
        return true;
      }
      case 'labels':
        return readTexts(
          cursor,
          metadata,
          key,
          (label, value) => checkQualifiedName(label, wording).length === 0 && checkLabelValue(value, wording).length === 0,
        );
      case 'annotations':
        return readTexts(cursor, metadata, key, (annotation) => checkQualifiedName(annotation.toLowerCase(), wording).length === 0);
      default:
        return false;
    }
  }

  /** The steps of a create, in the server's order, of which only the outcome counts. */
  #settle(value: JsonValue, run: ReaderRun): JsonObject | undefined {
    const { namespaced, wording } = this.#version;
    if (!isJsonObject(value)) return undefined;
    const sent = sentIdentity(value);
    const coerced = coerceMetadata(value, false);
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
    run.sent = sent;
    return metadata;
  }

  #isValid(meta: ObjectMeta): boolean {
    const { namespaced, wording } = this.#version;
    const isResource = validateObjectMeta(meta, { namespaced, checkName: checkDns1123Subdomain, wording }, undefined).length === 0;
    const generic = { namespaced, checkName: checkPathSegmentName, checkPrefix: checkPathSegmentPrefix, wording };
    return isResource && validateObjectMeta(meta, generic, undefined).length === 0;
  }
}

/** Metadata as it was sent, with nothing unknown in it. */
function readSent(run: ReaderRun): JsonObject | undefined {
  const value = run.cursor.value();
  if (value === undefined || !isJsonObject(value)) return undefined;
  const sent = sentIdentity(value);
  const coerced = coerceMetadata(value, false);
  if (!coerced.ok || coerced.unknownFields.length > 0) return undefined;
  run.sent = sent;
  return coerced.metadata;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Reads an object field by field, as long as `read` knows the field whose value is at the cursor; false where that ended before the object did, or there is no field. */
function readFields(cursor: ByteCursor, read: (key: string) => boolean): boolean {
  const { bytes } = cursor;
  if (bytes[cursor.at] !== OPEN) return false;
  cursor.at = cursor.skip(cursor.at + 1);
  for (;;) {
    const key = cursor.key();
    if (key === undefined) return false;
    cursor.at = cursor.skip(cursor.at);
    if (bytes[cursor.at] !== COLON) return false;
    cursor.at = cursor.skip(cursor.at + 1);
    if (!read(key)) return false;
    cursor.at = cursor.skip(cursor.at);
    const next = bytes[cursor.at];
    cursor.at = cursor.skip(cursor.at + 1);
    if (next !== COMMA) return next === CLOSE;
  }
}

/** Reads a map of strings that all are as they should be. */
function readTexts(cursor: ByteCursor, metadata: JsonObject, field: string, isFine: (key: string, value: string) => boolean): boolean {
  const texts = newJsonObject();
  metadata[field] = texts;
  return readFields(cursor, (key) => {
    const value = cursor.string();
    if (value === undefined || texts[key] !== undefined || !isFine(key, value)) return false;
    texts[key] = value;
    return true;
  });
}
