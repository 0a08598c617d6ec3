import { newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { apiVersionOf } from '../request/group-version.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { GroupVersionKind, GroupVersionResource } from '../request/group-version.ts';

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
export function requestValue(request: AdmissionRequest, { kind, resource }: MatchedAs): JsonObject {
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
