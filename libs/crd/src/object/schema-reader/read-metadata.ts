import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { checkDns1123Subdomain, checkPathSegmentName, checkPathSegmentPrefix, readObjectMeta, validateObjectMeta } from '#kube';
import type { ObjectMeta } from '#kube';
import type { ServedVersion } from '../served-version.ts';
import { dedupOwnerReferences } from '../write/dedup-owners.ts';
import { finalizerWarnings } from '../write/finalizer-warnings.ts';
import { prepareNewMetadata } from '../write/prepare-object.ts';
import { sentIdentity } from '../write/sent-identity.ts';
import { claimsRevision, dropClusterFields } from '../write/stored-object.ts';
import { coerceMetadata } from '../write/typed-metadata.ts';
import { PlainMetadata } from './plain-metadata.ts';
import type { ReaderRun } from './reader-run.ts';

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
    // Of what a create takes off or adds (`prepareNewMetadata`) plain metadata knows these two.
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
