import { isJsonInt, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { COMPOSITE_KIND, isCompositeDefinition, UNKNOWN_OWNER_UID } from '#kube';
import { decodeDefinition } from '../schema/decode-definition.ts';
import { encodeDefinition } from '../schema/encode-definition.ts';
import { CLAIM_COLUMNS, claimSpecFields, compositeColumns, compositeSpecFields, statusFields } from './added-fields.ts';
import type { Fields, PlainValue } from './added-fields.ts';
import { compositeProblem, objectIn, scopeOf, versionsOf } from './composite-shape.ts';

/** Definition that Crossplane makes of a CompositeResourceDefinition (XRD), or the reason why it makes none. */
export type CrossplaneDefinition = { readonly ok: true; readonly definition: JsonObject } | { readonly ok: false; readonly error: string };

const { group: GROUP, kind: KIND } = COMPOSITE_KIND;
/** Maximum length of the names of composite resources and claims, which Crossplane uses as values of labels. */
const NAME_LENGTH = 63;

/** Returns the name of the XRD of which {@link definitionsOfComposite} made a definition. Returns undefined for other definitions. */
export function compositeMadeInto(definition: JsonObject): string | undefined {
  const { ownerReferences } = objectIn(definition, 'metadata');
  const owners = Array.isArray(ownerReferences) ? ownerReferences.filter(isJsonObject) : [];
  const owner = owners.find(({ apiVersion, kind, uid }) => uid === UNKNOWN_OWNER_UID && isCompositeDefinition(apiVersion, kind));
  return typeof owner?.['name'] === 'string' ? owner['name'] : undefined;
}

/**
 * Returns what Crossplane makes of an XRD: the definition of the composite resource, and then the definition of the claim if the XRD offers
 * one. Returns a single error if the XRD has a wrong shape, or if Crossplane's own definition of XRDs does not allow it.
 *
 * Does not check what servers check in the made definitions, such as names and rules. Source: crossplane-runtime pkg/xcrd/crd.go
 * `ForCompositeResource`, `ForCompositeResourceClaim` (2.4).
 */
export function definitionsOfComposite(xrd: JsonObject): readonly CrossplaneDefinition[] {
  const problem = compositeProblem(xrd);
  if (problem !== undefined) return [notMade(xrd, 'definition', problem)];
  const spec = objectIn(xrd, 'spec');
  const { name = '' } = objectIn(xrd, 'metadata');
  const scope = scopeOf(xrd);
  const composite = madeOf(xrd, {
    name,
    scope: scope === 'Namespaced' ? 'Namespaced' : 'Cluster',
    names: named(objectIn(spec, 'names'), 'composite'),
    columns: compositeColumns(scope),
    spec: compositeSpecFields(scope, textOr(spec['defaultCompositionUpdatePolicy'], 'Automatic')),
    status: statusFields(scope),
  });
  const { claimNames } = spec;
  if (!isJsonObject(claimNames)) return [composite];
  const conflict = conflictOf(claimNames, objectIn(spec, 'names'));
  if (conflict !== undefined)
    return [
      composite,
      notMade(xrd, 'definition of the claim', `invalid resource claim names: ${conflict} conflicts with composite resource name`),
    ];
  const claim = madeOf(xrd, {
    name: `${textOr(claimNames['plural'], '')}.${textOr(spec['group'], '')}`,
    scope: 'Namespaced',
    names: named(claimNames, 'claim'),
    columns: CLAIM_COLUMNS,
    spec: claimSpecFields(textOr(spec['defaultCompositeDeletePolicy'], 'Background')),
    status: statusFields('LegacyCluster'),
  });
  return [composite, claim];
}

const textOr = (value: JsonValue | undefined, preset: string): string => (typeof value === 'string' ? value : preset);

function notMade(xrd: JsonObject, what: string, problem: string): CrossplaneDefinition {
  const { name } = objectIn(xrd, 'metadata');
  const shown = typeof name === 'string' && name !== '' ? ` ${JSON.stringify(name)}` : '';
  return { ok: false, error: `Crossplane makes no ${what} of the ${KIND}${shown}: ${problem}` };
}

/**
 * Returns the quoted first name of a claim that equals the same name of the composite resource, as Crossplane's error shows it. Undefined
 * if all names differ.
 */
function conflictOf(claim: JsonObject, composite: JsonObject): string | undefined {
  const key = ['kind', 'plural', 'singular', 'listKind'].find((one) => textOr(claim[one], '') !== '' && claim[one] === composite[one]);
  return key && JSON.stringify(claim[key]);
}

const named = (names: JsonObject, category: string): JsonObject => {
  const { categories } = names;
  return joined(names, { categories: [...(Array.isArray(categories) ? categories : []), category] });
};

/** Parts in which the definitions of a composite resource and of its claim differ. */
interface Wanted {
  readonly name: JsonValue;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: JsonObject;
  readonly columns: readonly PlainValue[];
  readonly spec: Fields;
  readonly status: Fields;
}

function madeOf(xrd: JsonObject, wanted: Wanted): CrossplaneDefinition {
  const spec = objectIn(xrd, 'spec');
  const { group, conversion } = spec;
  const definition = joined({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: metadataOf(xrd, wanted.name),
    spec: {
      group,
      names: wanted.names,
      scope: wanted.scope,
      versions: versionsOf(spec).map((version) => madeVersion(version, wanted)),
      conversion,
    },
  });
  return { ok: true, definition: withoutUnknown(definition) };
}

/**
 * Returns a definition without the fields that Go does not know. Crossplane reads the XRD's schema into Go structs, and so it drops them. A
 * definition that cannot be decoded remains unchanged, because the verdict on it contains the error.
 */
function withoutUnknown(definition: JsonObject): JsonObject {
  const decoding = decodeDefinition(definition);
  if (!decoding.ok || decoding.unknownFields.length === 0) return definition;
  const { status: _, ...known } = encodeDefinition(decoding.definition);
  return joined(known);
}

function metadataOf(xrd: JsonObject, name: JsonValue): PlainValue {
  const metadata = objectIn(xrd, 'metadata');
  const added = objectIn(objectIn(xrd, 'spec'), 'metadata');
  const labels = isJsonObject(added['labels']) ? joined(objectIn(metadata, 'labels'), added['labels']) : metadata['labels'];
  const owner = {
    apiVersion: `${GROUP}/v1`,
    kind: KIND,
    name: metadata['name'] ?? '',
    uid: UNKNOWN_OWNER_UID,
    controller: true,
    blockOwnerDeletion: true,
  };
  return { name, labels, annotations: added['annotations'], ownerReferences: [owner] };
}

/** Returns a version of a made definition. Source: crossplane-runtime pkg/xcrd/crd.go `genCrdVersion` (2.4). */
function madeVersion(version: JsonObject, wanted: Wanted): PlainValue {
  const { name, served, referenceable, deprecated, deprecationWarning, additionalPrinterColumns } = version;
  const { scale } = objectIn(version, 'subresources');
  const columns = Array.isArray(additionalPrinterColumns) ? additionalPrinterColumns : [];
  return {
    name,
    served,
    storage: referenceable,
    deprecated,
    deprecationWarning,
    schema: { openAPIV3Schema: madeSchema(objectIn(objectIn(version, 'schema'), 'openAPIV3Schema'), wanted) },
    subresources: { status: {}, scale: scale ?? undefined },
    additionalPrinterColumns: [...columns, ...wanted.columns],
  };
}

/**
 * Returns the schema of a made definition. Crossplane takes over only these keywords of the root, of `spec` and of `status`. Added fields
 * replace fields with the same name.
 */
function madeSchema(root: JsonObject, wanted: Wanted): PlainValue {
  const properties = objectIn(root, 'properties');
  const spec = objectIn(properties, 'spec');
  const status = objectIn(properties, 'status');
  return {
    type: 'object',
    ...taken(root, ['description', 'x-kubernetes-validations']),
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object', properties: { name: { type: 'string', maxLength: nameLength(properties) } } },
      spec: {
        type: 'object',
        ...taken(spec, [...TAKEN, 'x-kubernetes-preserve-unknown-fields']),
        properties: joined(objectIn(spec, 'properties'), wanted.spec),
      },
      status: { type: 'object', ...taken(status, TAKEN), properties: joined(objectIn(status, 'properties'), wanted.status) },
    },
  };
}

/** Keywords of `spec` and `status` that Crossplane takes over from an XRD, besides `properties`. */
const TAKEN = ['description', 'required', 'oneOf', 'x-kubernetes-validations'] as const;

const taken = (schema: JsonObject, keywords: readonly string[]): Fields =>
  Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword] ?? undefined]));

function nameLength(properties: JsonObject): JsonValue {
  const { maxLength } = objectIn(objectIn(objectIn(properties, 'metadata'), 'properties'), 'name');
  if (maxLength === undefined || maxLength === null) return NAME_LENGTH;
  return isJsonInt(maxLength) && maxLength >= NAME_LENGTH ? NAME_LENGTH : maxLength;
}

/** Returns the members of several objects in one object, without undefined members. Later members replace earlier ones. */
function joined(...parts: readonly Fields[]): JsonObject {
  const json = newJsonObject();
  for (const part of parts) for (const [key, value] of Object.entries(part)) if (value !== undefined) json[key] = jsonOf(value);
  return json;
}

/** Returns a value as JSON. Returns values that were read unchanged, because they are JSON already. */
function jsonOf(value: Exclude<PlainValue, undefined>): JsonValue {
  if (Array.isArray(value)) return value.map((one: PlainValue) => jsonOf(one ?? null));
  return isPlainObject(value) ? joined(value) : (value as JsonValue);
}

/** Returns true for objects that are written in this code. Objects that were read do not inherit from `Object.prototype`. */
const isPlainObject = (value: PlainValue): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
