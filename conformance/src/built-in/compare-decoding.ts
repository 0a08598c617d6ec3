import { builtInKinds, readTyped, setDefaults } from '#builtin';
import type { BuiltInKind } from '#builtin';
import { isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';

/**
 * The result for an object by the Go program (`libs/builtin/generate/decode.go`) or by our code, as one text: `seen`,
 * `error` or `strict`.
 */
export interface Decoding {
  readonly seen: string;
  readonly error: string;
  readonly strict: string;
}

/** Reads an answer of the Go program. */
export function goDecoding(line: string): Decoding {
  const reading = readJson(line);
  const answer = reading.ok && isJsonObject(reading.value) ? reading.value : {};
  return { seen: jsonText(answer['seen']), error: text(answer['error']), strict: text(answer['strict']) };
}

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
const jsonText = (value: JsonValue | undefined): string => (value === undefined ? '' : writeJson(value));

/** Reads an object, given as text, as a minor's Go type does; undefined for kinds that are not built in. */
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

/** Groups whose defaults the Go program sets (`libs/builtin/generate/defaults`). */
const DEFAULTED: ReadonlySet<string> = new Set(
  ['', 'apps', 'autoscaling', 'batch', 'discovery.k8s.io', 'networking.k8s.io', 'policy'].concat(
    ['admissionregistration', 'rbac.authorization', 'scheduling', 'storage'].map((name) => `${name}.k8s.io`),
  ),
);

/**
 * Returns true if a kind's defaults are compared. Servers must serve the kind. Autoscalers of the first version are
 * left out, because they keep missing fields in annotations. Nodes are left out too: they distinguish empty resources
 * from none, but a read object has neither.
 */
export function hasComparedDefaults({ group, version, kind, resource }: BuiltInKind): boolean {
  const isLeftOut = kind === 'Node' || (version === 'v1' && kind === 'HorizontalPodAutoscaler');
  return resource !== undefined && DEFAULTED.has(group) && /^v\d+$/.test(version) && !isLeftOut;
}

/** Returns an object, given as text, after a server's defaults; undefined for kinds whose defaults are not compared. */
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

/** Returns the built-in objects of a policy case: what it asks about, and what stands around it. */
export function objectsOfCase(line: string): JsonObject[] {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) return [];
  const { object, oldObject, policy, params, namespaces, policies, bindings } = reading.value;
  const lists = [params, namespaces, policies, bindings].flatMap((list) => (Array.isArray(list) ? list : []));
  return [object, oldObject, policy, ...lists].filter((value): value is JsonObject => isJsonObject(value));
}
