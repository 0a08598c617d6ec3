import { isJsonObject, newJsonObject } from '#go';
import { inNamespace, metadataText, withoutType } from './object-meta.ts';
import { guessResource } from './kinds.ts';
import { heldObject } from './typed-object.ts';
import { splitApiVersion } from '../params/param-objects.ts';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest, Operation, UserInfo } from './admission-request.ts';
import type { GroupVersionKind, GroupVersionResource } from './group-version.ts';
import type { HeldObject } from './typed-object.ts';
import type { Kinds } from './kinds.ts';

/** A request as a client describes it; what is left out follows from the rest. */
export interface RequestDescription {
  readonly object?: JsonObject | undefined;
  readonly oldObject?: JsonObject | undefined;
  /** Operation of the request. By default the presence of `object` and `oldObject` determines it. */
  readonly operation?: Operation | undefined;
  /** Default: the object's. */
  readonly kind?: GroupVersionKind | undefined;
  /** Default: the kind's. */
  readonly resource?: GroupVersionResource | undefined;
  readonly subresource?: string | undefined;
  /**
   * Name of the object. Default of `name` and `namespace`: the values in the object's metadata. A namespaced object without a namespace is
   * in `default`.
   */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly options?: JsonObject | undefined;
  readonly dryRun?: boolean | undefined;
  /** Default: an administrator. */
  readonly user?: UserInfo | undefined;
  /** True if objects of built-in kinds also keep their written form, without conversion to Go types. */
  readonly untyped?: boolean | undefined;
}

/** A request, or why it cannot be understood. */
export type RequestResult = { readonly ok: true; readonly request: AdmissionRequest } | { readonly ok: false; readonly error: string };

const ADMINISTRATOR: UserInfo = { username: 'admin', uid: '', groups: ['system:masters', 'system:authenticated'], extra: new Map() };

/**
 * Completes the description of a request. Converts objects of built-in kinds to their Go types. Derives kind, resource, name and namespace
 * from the objects if they are omitted.
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

/** The objects of a request, with their Go types. */
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

/** Returns the namespace of an object. A Namespace is in the namespace of its own name. */
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

/** Returns the options of a request in their typed form, with their kind. The options of an update may be PatchOptions. */
function optionsOf(given: JsonObject | undefined, operation: Operation, minor: Minor): JsonObject | undefined {
  const usual = OPTIONS[operation];
  if (usual === undefined) return undefined;
  const named = isJsonObject(given) ? given['kind'] : undefined;
  const kind = named === 'PatchOptions' || named === 'UpdateOptions' ? named : usual;
  const held = heldObject(Object.assign(newJsonObject(), given, { apiVersion: 'v1', kind }), minor);
  if (!held.ok) throw new UnfitObject(`options: ${held.error}`);
  return Object.assign(newJsonObject(), { kind, apiVersion: 'meta.k8s.io/v1' }, withoutType(held.object));
}
