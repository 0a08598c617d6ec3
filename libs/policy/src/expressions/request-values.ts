import { AuthorizerValue } from '#cel';
import type { CelValue, Variables } from '#cel';
import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { StructType } from '../built-in/table/go-type.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { seenObject, structType } from '../request/held-object.ts';
import type { HeldObject } from '../request/held-object.ts';
import { apiVersionOf } from '../request/kinds.ts';
import type { GroupVersionKind, GroupVersionResource } from '../request/kinds.ts';
import type { World } from '../world.ts';

/** Values of the CEL variables that the expressions of a policy can read, in addition to `object`, `oldObject` and `request`. */
export interface OtherValues {
  /**
   * Namespace object of the request. If it is undefined, the variable `namespaceObject` is null. It is undefined if the request has no
   * namespace or if the list of expressions must not read it.
   */
  readonly namespace: HeldObject | undefined;
  /** Parameter object of the current evaluation. Undefined if the policy has no paramKind, and null if the binding has no parameter. */
  readonly params: HeldObject | null | undefined;
  readonly authorizer: boolean;
}

/** Cache of the values that expressions read from one request. All policies that are evaluated for the request share the cache. */
export class RequestValues {
  readonly #request: AdmissionRequest;
  readonly #minor: Minor;
  readonly #objects = new Map<string, readonly [object: CelValue, oldObject: CelValue]>();
  readonly #requests = new Map<string, CelValue>();
  readonly #authorizer: AuthorizerValue;

  constructor(request: AdmissionRequest, world: World) {
    this.#request = request;
    this.#minor = world.minor;
    this.#authorizer = new AuthorizerValue(request.user, world.authorize);
  }

  /** Returns the values of the variables in `mentioned`, for one list of expressions. */
  of(matched: MatchedAs, { namespace, params, authorizer }: OtherValues, mentioned: ReadonlySet<string>): Variables {
    const values: Record<string, CelValue> = {};
    if (mentioned.has('object') || mentioned.has('oldObject')) [values['object'], values['oldObject']] = this.#objectsAs(matched.kind);
    if (mentioned.has('request')) values['request'] = this.#requestAs(matched);
    if (mentioned.has('namespaceObject')) values['namespaceObject'] = namespace === undefined ? null : seenObject(namespace, this.#minor);
    if (mentioned.has('params') && params !== undefined) values['params'] = params === null ? null : seenObject(params, this.#minor);
    if (authorizer && mentioned.has('authorizer')) values['authorizer'] = this.#authorizer;
    if (authorizer && mentioned.has('authorizer.requestResource')) values['authorizer.requestResource'] = this.#requestResource();
    return values;
  }

  #requestResource(): CelValue {
    const { resource, subresource, namespace, name } = this.#request;
    return this.#authorizer.resource({ group: resource.group, resource: resource.resource, subresource, namespace, name });
  }

  #objectsAs(kind: GroupVersionKind): readonly [CelValue, CelValue] {
    const key = `${kind.group}/${kind.version}`;
    const known = this.#objects.get(key);
    if (known !== undefined) return known;
    const view = (object: JsonObject | undefined, type: StructType | undefined): CelValue =>
      object === undefined ? null : seenObject({ object: inVersion(object, kind), type }, this.#minor);
    const { object, oldObject, objectType, oldObjectType } = this.#request;
    const made = [view(object, objectType), view(oldObject, oldObjectType)] as const;
    this.#objects.set(key, made);
    return made;
  }

  #requestAs(matched: MatchedAs): CelValue {
    const { kind, resource } = matched;
    const key = `${kind.version} ${resource.version} ${kind.kind} ${resource.group}`;
    const known = this.#requests.get(key);
    if (known !== undefined) return known;
    const type = structType('admission/v1.AdmissionRequest', this.#minor);
    const made = seenObject({ object: requestValue(this.#request, matched), type }, this.#minor);
    this.#requests.set(key, made);
    return made;
  }
}

/** Kind and resource under which a policy's rules matched a request. Their API version may differ from the version of the request. */
export interface MatchedAs {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * Returns the value of the variable `request`. A Go struct becomes JSON, and empty fields are omitted. Source:
 * k8s.io/api/admission/v1/types.go `AdmissionRequest`, k8s.io/apiserver/pkg/admission/plugin/cel/condition.go `CreateAdmissionRequest`
 * (1.37).
 */
function requestValue(request: AdmissionRequest, { kind, resource }: MatchedAs): JsonObject {
  const { user } = request;
  return jsonOf({
    uid: '',
    kind: jsonOf({ ...kind }),
    resource: jsonOf({ ...resource }),
    subResource: filled(request.subresource),
    requestKind: jsonOf({ ...request.kind }),
    requestResource: jsonOf({ ...request.resource }),
    requestSubResource: filled(request.subresource),
    name: filled(request.name),
    namespace: filled(request.namespace),
    operation: request.operation,
    userInfo: jsonOf({
      username: filled(user.username),
      uid: filled(user.uid),
      groups: user.groups.length === 0 ? undefined : [...user.groups],
      extra: user.extra.size === 0 ? undefined : jsonOf(Object.fromEntries([...user.extra].map(([key, values]) => [key, [...values]]))),
    }),
    object: null,
    oldObject: null,
    dryRun: request.dryRun,
    options: request.options ?? null,
  });
}

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

function jsonOf(entries: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object = newJsonObject();
  for (const [key, value] of Object.entries(entries)) if (value !== undefined) object[key] = value;
  return object;
}

/** Returns an object in another version of its kind. The two versions may differ only in the version name. */
export function inVersion(object: JsonObject, kind: GroupVersionKind): JsonObject {
  const apiVersion = apiVersionOf(kind);
  if (object['apiVersion'] === apiVersion) return object;
  return Object.assign(newJsonObject(), object, { apiVersion });
}
