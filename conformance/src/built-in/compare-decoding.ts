import { builtInKinds, readTyped, setDefaults } from '#policy/built-in';
import type { BuiltInKind } from '#policy/built-in';
import { isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';

/**
 * Result of decoding an object, by the Go program (`libs/policy/generate/built-in/decode.go`) or by Assay. Each field is a text: the
 * decoded object (`seen`), the `error`, and the errors of `strict` decoding.
 */
export interface Decoding {
  readonly seen: string;
  readonly error: string;
  readonly strict: string;
}

/** Parses an answer line of the Go program. */
export function goDecoding(line: string): Decoding {
  const reading = readJson(line);
  const answer = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  return { seen: jsonText(answer['seen']), error: text(answer['error']), strict: text(answer['strict']) };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const jsonText = (value: JsonValue | undefined): string => (value === undefined ? '' : writeJson(value));

/** Decodes an object from text in the way in which the Go type of a minor version does. Returns undefined if the kind is not built in. */
export function ourDecoding(document: string, minor: Minor): Decoding | undefined {
  const reading = readJson(document);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const kind = builtInKinds(minor).kind(text(reading.value['apiVersion']), text(reading.value['kind']));
  if (kind === undefined) return undefined;
  const typed = readTyped(reading.value, kind, minor, reading);
  if (!typed.ok) return { seen: '', error: typed.error, strict: '' };
  const strict = typed.strictErrors.length === 0 ? '' : `strict decoding error: ${typed.strictErrors.join(', ')}`;
  return { seen: writeJson(typed.object), error: '', strict };
}

/** API groups whose defaults the Go program sets (`libs/policy/generate/built-in/defaults`). */
const DEFAULTED: ReadonlySet<string> = new Set(
  ['', 'apps', 'autoscaling', 'batch', 'discovery.k8s.io', 'networking.k8s.io', 'policy'].concat(
    ['admissionregistration', 'rbac.authorization', 'scheduling', 'storage'].map((name) => `${name}.k8s.io`),
  ),
);

/**
 * Returns true if the defaults of a kind are compared. Only kinds that servers serve are compared. Autoscalers of version v1 are left out,
 * because a server keeps the fields that v1 lacks in annotations. Nodes are left out, because a Node distinguishes empty resources from
 * absent resources and a decoded object does not.
 */
export function hasComparedDefaults({ group, version, kind, resource }: BuiltInKind): boolean {
  const isLeftOut = kind === 'Node' || (version === 'v1' && kind === 'HorizontalPodAutoscaler');
  return resource !== undefined && DEFAULTED.has(group) && /^v\d+$/.test(version) && !isLeftOut;
}

/**
 * Sets the server's defaults in an object that is given as text, and returns the result. Returns undefined if the defaults of the kind are
 * not compared.
 */
export function ourDefaults(document: string, minor: Minor): Decoding | undefined {
  const reading = readJson(document);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const kind = builtInKinds(minor).kind(text(reading.value['apiVersion']), text(reading.value['kind']));
  if (kind === undefined || !hasComparedDefaults(kind)) return undefined;
  const typed = readTyped(reading.value, kind, minor);
  if (!typed.ok) return { seen: '', error: typed.error, strict: '' };
  setDefaults(typed.object, kind, minor);
  return { seen: writeJson(typed.object), error: '', strict: '' };
}

/** Returns the built-in objects of a policy case: the objects that the request writes, and the objects that exist in the cluster. */
export function objectsOfCase(line: string): JsonObject[] {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) return [];
  const { object, oldObject, policy, params, namespaces, policies, bindings } = reading.value;
  const lists = [params, namespaces, policies, bindings].flatMap((list) => (Array.isArray(list) ? list : []));
  return [object, oldObject, policy, ...lists].filter((value): value is JsonObject => isJsonObject(value));
}
