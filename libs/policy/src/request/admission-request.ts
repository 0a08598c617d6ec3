import { goQuote, isJsonObject, newJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { StructType } from '../built-in/table/go-type.ts';
import { splitApiVersion } from '../params.ts';
import { heldObject, inNamespace, metadataText, objectMetaOf, withoutType } from './held-object.ts';
import type { HeldObject } from './held-object.ts';
import { guessResource } from './kinds.ts';
import type { GroupVersionKind, GroupVersionResource, Kinds } from './kinds.ts';

/** Operation of an admission request. CONNECT opens a stream to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** User who makes the request. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * Admission request as admission plugins receive it, after decoding, defaulting and pruning. Source:
 * k8s.io/apiserver/pkg/admission/interfaces.go `Attributes` (1.37).
 */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Name of the object; empty if the server generates the name. */
  readonly name: string;
  /** Namespace of the object. Empty for cluster-scoped objects. For a Namespace, it is the name of the Namespace itself. */
  readonly namespace: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  /** Go types of `object` and `oldObject`; undefined if an object is not of a built-in kind or is not stored in its Go type. */
  readonly objectType: StructType | undefined;
  readonly oldObjectType: StructType | undefined;
  /** Options of the operation, for example CreateOptions; undefined for CONNECT. */
  readonly options: JsonObject | undefined;
  readonly dryRun: boolean;
  readonly user: UserInfo;
}

/** Request as a client describes it. Omitted properties are derived from the given properties. */
export interface RequestDescription {
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
  /** Operation of the request. By default, the operation is derived from the presence of `object` and `oldObject`. */
  readonly operation?: Operation | undefined;
  /** Kind of the request. Default: the kind of the object. */
  readonly kind?: GroupVersionKind | undefined;
  /** Resource of the request. Default: the resource of the kind. */
  readonly resource?: GroupVersionResource | undefined;
  readonly subresource?: string | undefined;
  /**
   * Name and namespace of the object. Default: the values in the object's metadata. For a namespaced object without a namespace, the
   * namespace is `default`.
   */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly options?: JsonObject | undefined;
  readonly dryRun?: boolean | undefined;
  /** User who makes the request. Default: an administrator. */
  readonly user?: UserInfo | undefined;
  /** True if objects of built-in kinds are kept as written instead of being converted to their Go types. */
  readonly untyped?: boolean | undefined;
}

/** Result of building a request: the request, or the reason why the description is invalid. */
export type RequestResult = { readonly ok: true; readonly request: AdmissionRequest } | { readonly ok: false; readonly error: string };

const ADMINISTRATOR: UserInfo = { username: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() };

/**
 * Builds an admission request from a description. Objects of built-in kinds are converted to their Go types. If kind, resource, name or
 * namespace are omitted, they are derived from the objects.
 */
export function buildRequest(description: RequestDescription, kinds: Kinds, minor: Minor): RequestResult {
  const hold = (what: string, object: JsonObject | undefined): HeldObject | undefined => {
    if (object === undefined) return undefined;
    if (description.untyped === true) return { object, type: undefined };
    const held = heldObject(object, minor);
    if (!held.ok) throw new UnfitObject(`${what}: ${held.error}`);
    return held;
  };
  try {
    return complete(
      description,
      { held: hold('object', description.object), heldOld: hold('oldObject', description.oldObject) },
      kinds,
      minor,
    );
  } catch (thrown) {
    if (thrown instanceof UnfitObject) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

class UnfitObject extends Error {}

/** New and old object of a request, each with its Go type. */
interface HeldObjects {
  readonly held: HeldObject | undefined;
  readonly heldOld: HeldObject | undefined;
}

function complete(description: RequestDescription, { held, heldOld }: HeldObjects, kinds: Kinds, minor: Minor): RequestResult {
  const object = held?.object;
  const oldObject = heldOld?.object;
  const present = object ?? oldObject;
  const kind = description.kind ?? (present && kindOf(present));
  if (kind === undefined) return { ok: false, error: 'no object, oldObject or requestKind tells the kind of the request' };
  const known = kinds.ofKind(kind);
  const resource = description.resource ?? known?.resource ?? guessResource(kind);
  const namespaced = (description.resource === undefined ? known : (kinds.ofResource(resource) ?? known))?.namespaced ?? true;
  const name = description.name ?? (present === undefined ? '' : metadataText(present, 'name'));
  const namespace = description.namespace ?? defaultNamespace(kind, namespaced, name, present);
  const own = namespaced && description.namespace === undefined ? namespace : '';
  const operation = description.operation ?? operationOf(object, oldObject);
  return {
    ok: true,
    request: {
      operation,
      kind,
      resource,
      subresource: description.subresource ?? '',
      name,
      namespace,
      object: object && inNamespace(object, own),
      oldObject: oldObject && inNamespace(oldObject, own),
      objectType: held?.type,
      oldObjectType: heldOld?.type,
      options: optionsOf(description.options, operation, minor),
      dryRun: description.dryRun ?? false,
      user: description.user ?? ADMINISTRATOR,
    },
  };
}

function kindOf({ apiVersion, kind }: JsonObject): GroupVersionKind | undefined {
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const [group, version] = splitApiVersion(apiVersion);
  return { group, version, kind };
}

/** Returns the default namespace of a request. For a Namespace, it is the name of the Namespace itself. */
function defaultNamespace(kind: GroupVersionKind, namespaced: boolean, name: string, object: JsonObject | undefined): string {
  if (kind.group === '' && kind.version === 'v1' && kind.kind === 'Namespace') return name;
  if (!namespaced) return '';
  return (object === undefined ? '' : metadataText(object, 'namespace')) || 'default';
}

function operationOf(object: JsonObject | undefined, oldObject: JsonObject | undefined): Operation {
  if (object === undefined) return 'DELETE';
  return oldObject === undefined ? 'CREATE' : 'UPDATE';
}

const OPTIONS: Readonly<Record<Operation, string | undefined>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: undefined,
};

/**
 * Returns the options of a request, decoded into their Go type and with their kind. The options of an update may also be PatchOptions.
 * Undefined for an operation that has no options.
 */
function optionsOf(given: JsonObject | undefined, operation: Operation, minor: Minor): JsonObject | undefined {
  const usual = OPTIONS[operation];
  if (usual === undefined) return undefined;
  const named = isJsonObject(given) ? given['kind'] : undefined;
  const kind = named === 'PatchOptions' || named === 'UpdateOptions' ? named : usual;
  const held = heldObject(Object.assign(newJsonObject(), given, { apiVersion: 'v1', kind }), minor);
  if (!held.ok) throw new UnfitObject(`options: ${held.error}`);
  return Object.assign(newJsonObject(), { kind, apiVersion: 'meta.k8s.io/v1' }, withoutType(held.object));
}

/**
 * Returns `pods "x" is forbidden: …`. Source: k8s.io/apimachinery/pkg/api/errors/errors.go `NewForbidden` (1.37).
 *
 * @param name `request`: use the name in the request, which may be empty; `object`: use the name in the object's metadata if the request has
 * none
 */
export function forbiddenMessage(request: AdmissionRequest, why: string, name: 'request' | 'object' = 'object'): string {
  const { group, resource } = request.resource;
  const called = name === 'request' ? request.name : requestedName(request);
  return `${group === '' ? resource : `${resource}.${group}`} ${called === '' ? '' : `${goQuote(called)} `}is forbidden: ${why}`;
}

/**
 * Returns the name in the request, or the name in the object's metadata if the request has no name. Source:
 * k8s.io/apiserver/pkg/admission/errors.go `extractResourceName` (1.37).
 */
function requestedName({ name, object }: AdmissionRequest): string {
  if (name !== '') return name;
  if (object === undefined) return 'Unknown';
  if (objectMetaOf(object) === undefined) return 'Unknown/errorGettingName';
  return metadataText(object, 'name') || metadataText(object, 'generateName') || 'Unknown';
}
