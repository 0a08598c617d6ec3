import { deepEqualJson, newJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { FeatureGates } from '#kube';
import type { Definition, DefinitionStatus, DefinitionVersion } from '../../schema/definition.ts';
import { encodeDefinition } from '../../schema/encode-definition.ts';
import { storedRevision } from '../../object/write/stored-object.ts';
import { ABSENT_LIST, schemaHas } from '../../schema/schema-props.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';

/**
 * Returns a definition without the fields of features whose gates are off, because a server drops these fields. Fields that the stored
 * definition already uses are kept. Source: pkg/registry/customresourcedefinition/strategy.go `dropDisabledFields` (1.37).
 */
export function withoutDisabledFields(definition: Definition, old: Definition | undefined, gates: FeatureGates): Definition {
  const { spec } = definition;
  const used = (has: (version: DefinitionVersion) => boolean): boolean => old?.spec.versions.some(has) === true;
  const dropsOldSelf = !gates.CRDValidationRatcheting && !used(({ schema }) => schemaHas(schema, saysOptionalOldSelf));
  const dropsSelectable = !gates.CustomResourceFieldSelectors && !used(({ selectableFields }) => selectableFields.length > 0);
  if (!dropsOldSelf && !dropsSelectable) return definition;
  const versions = spec.versions.map((version) => ({
    ...version,
    schema: dropsOldSelf ? withoutOptionalOldSelf(version.schema) : version.schema,
    selectableFields: dropsSelectable ? ABSENT_LIST : version.selectableFields,
  }));
  return { ...definition, spec: { ...spec, versions } };
}

const saysOptionalOldSelf = ({ rules }: SchemaProps): boolean => rules.some((rule) => rule.optionalOldSelf !== undefined);

/**
 * Returns a schema without `optionalOldSelf` in its rules. Only the parts of the schema that may contain rules are visited. Source:
 * `dropOptionalOldSelfField` (1.37).
 */
function withoutOptionalOldSelf<S extends SchemaProps | undefined>(schema: S): S {
  if (schema === undefined) return schema;
  const { rules, items, properties, additionalProperties } = schema;
  return {
    ...schema,
    rules: rules.map((rule) => ({ ...rule, optionalOldSelf: undefined })),
    items: items && { schema: withoutOptionalOldSelf(items.schema), schemas: items.schemas.map(withoutOptionalOldSelf) },
    properties: properties && new Map([...properties].map(([name, property]) => [name, withoutOptionalOldSelf(property)])),
    additionalProperties: additionalProperties && { ...additionalProperties, schema: withoutOptionalOldSelf(additionalProperties.schema) },
  };
}

/** Returns a list with the name of the first version that is marked as storage version. The list is empty if no version is marked. */
export function storageVersions(definition: Definition): string[] {
  const storage = definition.spec.versions.find((version) => version.storage);
  return storage === undefined ? [] : [storage.name];
}

const NO_NAMES = { plural: '', singular: '', shortNames: [], kind: '', listKind: '', categories: [] };

/** Returns the status of a new definition. Source: pkg/registry/customresourcedefinition/strategy.go `PrepareForCreate` (1.37). */
export function statusForCreate(requested: Definition): DefinitionStatus {
  return { conditions: [], acceptedNames: NO_NAMES, storedVersions: storageVersions(requested), observedGeneration: undefined };
}

/**
 * Returns the status of a changed definition: the old status, with the new storage versions appended to `storedVersions`. Source:
 * `PrepareForUpdate` (1.37).
 */
export function statusForUpdate(requested: Definition, old: Definition): DefinitionStatus {
  const added = storageVersions(requested).filter((version) => !old.status.storedVersions.includes(version));
  return { ...old.status, storedVersions: [...old.status.storedVersions, ...added] };
}

/**
 * Returns true if the specs of two definitions are equal. If they differ, the server increases the generation. Source: `PrepareForUpdate`
 * (1.37).
 */
export function sameSpec(a: Definition, b: Definition): boolean {
  return deepEqualJson(encodeDefinition(comparable(a))['spec'], encodeDefinition(comparable(b))['spec']);
}

/**
 * Returns a definition in the form in which specs are compared. As in Go, an empty list of review versions equals an absent one, and a
 * webhook without content equals no webhook.
 */
function comparable(definition: Definition): Definition {
  const { spec } = definition;
  const { conversion } = spec;
  const webhook = conversion?.webhook;
  if (conversion === undefined || webhook === undefined || webhook.conversionReviewVersions.length > 0) return definition;
  const kept = webhook.clientConfig && { ...webhook, conversionReviewVersions: ABSENT_LIST };
  return { ...definition, spec: { ...spec, conversion: { ...conversion, webhook: kept } } };
}

function copyWithout(metadata: JsonObject, fields: readonly string[]): JsonObject {
  const copy = Object.assign(newJsonObject(), metadata);
  for (const field of fields) delete copy[field];
  return copy;
}

/** Metadata fields that are removed from every request. */
const NEVER_SENT: readonly string[] = ['managedFields', 'selfLink', 'namespace'];
const SET_BY_SERVER: readonly string[] = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'];
/**
 * Maximum length of the part of a generated name that comes from the request. `GENERATED` is the placeholder for the random rest of the
 * name.
 */
const MAX_GENERATED_BASE = 58;
const GENERATED = 'xxxxx';

/**
 * Returns a new definition as the server changes it before validation. The server removes some metadata, generates a name if necessary, and
 * sets the generation and the status.
 */
export function prepareForCreate(requested: Definition): Definition {
  const metadata = copyWithout(requested.metadata, [...NEVER_SENT, ...SET_BY_SERVER, 'resourceVersion']);
  const generateName = metadata['generateName'];
  if (metadata['name'] === undefined && typeof generateName === 'string') {
    metadata['name'] = generateName.slice(0, MAX_GENERATED_BASE) + GENERATED;
  }
  metadata['generation'] = 1;
  return { ...requested, metadata, status: statusForCreate(requested) };
}

/**
 * Returns the definition of an update request as the server changes it before validation. The server removes some metadata and takes other
 * metadata from the stored definition `old`. If `grows` is true, the generation is increased by one.
 */
export function prepareForUpdate(requested: Definition, old: Definition, grows: boolean): Definition {
  const metadata = copyWithout(requested.metadata, NEVER_SENT);
  metadata['resourceVersion'] = storedRevision(old.metadata['resourceVersion'], requested.metadata['resourceVersion']);
  for (const field of SET_BY_SERVER) {
    const before = old.metadata[field];
    if (before !== undefined) metadata[field] = before;
    else if (field === 'uid' || field === 'creationTimestamp') delete metadata[field];
  }
  const generation = Number(old.metadata['generation'] ?? 0);
  metadata['generation'] = grows ? generation + 1 : generation;
  return { ...requested, metadata, status: statusForUpdate(requested, old) };
}
