import { isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { versionOf } from '#kube';
import { POLICY_VALUES } from './added-fields.ts';
import type { CompositeScope } from './added-fields.ts';

/** Scopes that each API version of an XRD allows, the default first. Source: crossplane apis/apiextensions/v1 and v2 xrd_types.go (2.4). */
const SCOPES: Readonly<Record<string, readonly CompositeScope[]>> = {
  v1: ['LegacyCluster', 'Namespaced', 'Cluster'],
  v2: ['Namespaced', 'Cluster'],
};

/** Returns the object in a member of an object, or an empty object if there is none. */
export function objectIn(json: JsonObject, key: string): JsonObject {
  const value = json[key];
  return isJsonObject(value) ? value : newJsonObject();
}

/** Returns the versions of an XRD. Elements that are not objects are left out. */
export function versionsOf(spec: JsonObject): readonly JsonObject[] {
  const { versions } = spec;
  return Array.isArray(versions) ? versions.filter(isJsonObject) : [];
}

/** Returns the scope of an XRD's composite resources, or the default of the XRD's API version. */
export function scopeOf({ apiVersion, spec }: JsonObject): CompositeScope {
  const [preset = 'LegacyCluster', ...others] = scopesOf(apiVersion) ?? [];
  const scope = isJsonObject(spec) ? spec['scope'] : undefined;
  return others.find((other) => other === scope) ?? preset;
}

const scopesOf = (apiVersion: JsonValue | undefined): readonly CompositeScope[] | undefined => {
  const version = versionOf(String(apiVersion));
  return Object.hasOwn(SCOPES, version) ? SCOPES[version] : undefined;
};

/**
 * Returns the first reason why Crossplane makes no definition of an XRD. It is a wrong shape, or a value that Crossplane's own definition of
 * XRDs does not allow. Returns undefined if there is none. Source: crossplane apis/apiextensions/v1 and v2 xrd_types.go (2.4).
 */
export function compositeProblem(xrd: JsonObject): string | undefined {
  const scopes = scopesOf(xrd['apiVersion']);
  if (scopes === undefined) return `apiVersion: Unsupported value: supported are the versions ${Object.keys(SCOPES).join(' and ')}`;
  const spec = xrd['spec'];
  if (!isJsonObject(spec)) return 'spec: Required value: must be an object';
  return (
    wrongType(spec, 'spec.', { group: 'string', names: 'object', versions: 'list' }) ??
    wrongType(objectIn(spec, 'names'), 'spec.names.', { kind: 'string', plural: 'string' }) ??
    wrongType(spec, 'spec.', { scope: 'string', claimNames: 'object', conversion: 'object', metadata: 'object' }, 'optional') ??
    wrongType(objectIn(spec, 'metadata'), 'spec.metadata.', { labels: 'object', annotations: 'object' }, 'optional') ??
    wrongChoice(spec, 'scope', scopes) ??
    wrongChoice(spec, 'defaultCompositionUpdatePolicy', POLICY_VALUES.update) ??
    wrongChoice(spec, 'defaultCompositeDeletePolicy', POLICY_VALUES.delete) ??
    claimProblem(xrd, spec) ??
    versionsProblem(spec['versions'])
  );
}

function claimProblem(xrd: JsonObject, spec: JsonObject): string | undefined {
  if (!isJsonObject(spec['claimNames']) || scopeOf(xrd) === 'LegacyCluster') return undefined;
  return versionOf(String(xrd['apiVersion'])) === 'v2'
    ? "spec: Invalid value: Claims aren't supported in apiextensions.crossplane.io/v2"
    : 'spec: Invalid value: Only LegacyCluster composite resources can offer claims';
}

function versionsProblem(versions: JsonValue | undefined): string | undefined {
  for (const [i, version] of Array.isArray(versions) ? versions.entries() : []) {
    const at = `spec.versions[${i}]`;
    const problem = isJsonObject(version) ? versionProblem(version, at) : `${at}: must be an object`;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function versionProblem(version: JsonObject, at: string): string | undefined {
  const { schema } = version;
  if (schema === undefined || schema === null) return `${at}.schema: custom resource validation cannot be nil`;
  const root = objectIn(objectIn(version, 'schema'), 'openAPIV3Schema');
  const properties = objectIn(root, 'properties');
  const path = `${at}.schema.openAPIV3Schema.properties`;
  return (
    wrongType(version, `${at}.`, { name: 'string', served: 'boolean', referenceable: 'boolean', schema: 'object' }) ??
    wrongType(version, `${at}.`, { subresources: 'object', additionalPrinterColumns: 'list' }, 'optional') ??
    wrongType(objectIn(version, 'schema'), `${at}.schema.`, { openAPIV3Schema: 'object' }) ??
    wrongType(root, `${at}.schema.openAPIV3Schema.`, { properties: 'object' }, 'optional') ??
    wrongType(properties, `${path}.`, { metadata: 'object', spec: 'object', status: 'object' }, 'optional') ??
    ['metadata', 'spec', 'status']
      .map((part) => wrongType(objectIn(properties, part), `${path}.${part}.`, { properties: 'object' }, 'optional'))
      .find((problem) => problem !== undefined)
  );
}

type Shape = 'string' | 'boolean' | 'object' | 'list';
const SHAPES: Readonly<Record<Shape, readonly [string, (value: JsonValue | undefined) => boolean]>> = {
  string: ['a string', (value) => typeof value === 'string'],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  object: ['an object', isJsonObject],
  list: ['a list', Array.isArray],
};

/** Returns a problem if a member does not have its shape. An absent member is a problem too, unless the members are optional. */
function wrongType(
  json: JsonObject,
  path: string,
  shapes: Readonly<Record<string, Shape>>,
  presence: 'required' | 'optional' = 'required',
): string | undefined {
  for (const [key, shape] of Object.entries(shapes)) {
    const value = json[key] ?? undefined;
    const [words, fits] = SHAPES[shape];
    if (value === undefined ? presence === 'required' : !fits(value))
      return `${path}${key}: ${value === undefined ? 'Required' : 'Invalid'} value: must be ${words}`;
  }
  return undefined;
}

function wrongChoice(spec: JsonObject, key: string, values: readonly string[]): string | undefined {
  const value = spec[key] ?? undefined;
  if (value === undefined || values.some((one) => one === value)) return undefined;
  const supported = values.map((one) => JSON.stringify(one)).join(', ');
  return `spec.${key}: Unsupported value: supported values: ${supported}`;
}
