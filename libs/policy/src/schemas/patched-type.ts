import { isJsonObject } from '#go';
import { uninterpreted } from '#kube';
import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import type { BuiltInKind } from '../built-in/table/built-in-kind.ts';

/** The apiVersion and kind that a document contains. An absent field is empty. */
export interface StatedType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Result of reading a document: a value, or the error text of the server. */
type Reading<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: string };

/**
 * Returns the apiVersion and kind of a document. Source: k8s.io/apimachinery/pkg/runtime/serializer/json/meta.go
 * `Interpret`, schema/group_version.go `ParseGroupVersion` (1.37).
 */
export function statedType(document: JsonValue): Reading<StatedType> {
  const stated = { apiVersion: '', kind: '' };
  if (!isJsonObject(document)) return { ok: true, value: stated };
  for (const field of ['kind', 'apiVersion'] as const) {
    const value = document[field] ?? null;
    if (value !== null && typeof value !== 'string') {
      const found = typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? 'array' : isJsonObject(value) ? 'object' : 'number';
      const error = `json: cannot unmarshal ${found} into Go struct field .${field} of type string`;
      return { ok: false, error: uninterpreted(error) };
    }
    stated[field] = value ?? '';
  }
  if (stated.apiVersion.split('/').length > 2) return { ok: false, error: `unexpected GroupVersion string: ${stated.apiVersion}` };
  return { ok: true, value: stated };
}

/**
 * Name of kube-apiserver's type registry (scheme) in error messages. Source: k8s.io/apimachinery/pkg/util/naming of k8s.io/kubernetes
 * pkg/api/legacyscheme (1.30 to 1.37).
 */
const SCHEME = '"pkg/api/legacyscheme/scheme.go:30"';

/**
 * Returns the built-in kind that a patched document has. The document is decoded as this kind. If the document omits apiVersion or kind,
 * the value comes from `was`, the kind before the patch. Source: k8s.io/apimachinery/pkg/runtime/serializer/json/json.go `Decode`,
 * `gvkWithDefaults` (1.37).
 */
export function patchedKind({ apiVersion, kind }: StatedType, was: BuiltInKind, minor: Minor): Reading<BuiltInKind> {
  const stated = { apiVersion: apiVersion === '' || apiVersion === '/' ? was.apiVersion : apiVersion, kind: kind === '' ? was.kind : kind };
  const value = builtInKinds(minor).kind(stated.apiVersion, stated.kind);
  if (value !== undefined) return { ok: true, value };
  return { ok: false, error: `no kind "${stated.kind}" is registered for version "${stated.apiVersion}" in scheme ${SCHEME}` };
}

/**
 * Returns the error for a patch that changed the group or version of an object. Returns undefined if both are unchanged. Source:
 * runtime/scheme.go `convertToVersion` (1.37).
 */
export function unsuitable({ group, version, kind, apiVersion }: BuiltInKind, was: BuiltInKind): string | undefined {
  if (apiVersion === was.apiVersion) return undefined;
  if (group === was.group) return `converting (${version}.${kind}) to (${was.version}.${kind}): unknown conversion`;
  return `*${version}.${kind} is not suitable for converting to "${was.apiVersion}" in scheme ${SCHEME}`;
}
