import { structuralOptions } from '../../minors/validation-behaviour.ts';
import { deepEqualJson } from '#go';
import { crdHas } from '../../minors/minors.ts';
import type { EngineChoice } from '#cel';
import type { Minor, Server } from '#kube';
import { hasInvalidCaBundle, recognizedReviewVersions } from './conversion-webhook.ts';
import { isEstablished } from '../../schema/definition.ts';
import type { Definition, DefinitionVersion } from '../../schema/definition.ts';
import type { SchemaProps } from '../../schema/schema-props.ts';
import { schemaHas } from '../../schema/schema-props.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { validateStructural } from '../../structural/validate-structural.ts';
import { hoist, sameSchema } from './hoist.ts';
import { OPENAPI_TYPES, mapListKeyErrors } from './nodes/check-keywords.ts';
import type { HoistedDefinition } from './hoist.ts';
import { expressionEnvironments } from './expression-environments.ts';
import type { ExpressionEnvironments } from './expression-environments.ts';
import { hasUnprunedDefaults } from './prune-defaults.ts';
import type { KnownNodes } from './rule-context.ts';
import { DefinitionWording } from './wording.ts';

/**
 * Requirements for a definition. A new definition must meet all of them. A changed definition may keep the faults of the stored definition.
 * Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go `validationOptions` (1.37).
 */
export interface AdmissionOptions extends Server {
  /** Engine that evaluates rules on defaults. Default: the interpreter. */
  readonly engine?: EngineChoice | undefined;
  readonly environments: ExpressionEnvironments;
  /** Cached results of earlier validations of schema nodes and expressions; undefined if there are none. */
  readonly known?: KnownNodes | undefined;
  readonly wording: DefinitionWording;
  readonly requireRecognizedReviewVersion: boolean;
  readonly requireImmutableNames: boolean;
  readonly requireSchema: boolean;
  readonly requireKnownTypes: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapListKeys: boolean;
  readonly allowInvalidCaBundle: boolean;
  /** Versions whose schema did not change. A rule in them is accepted even if it exceeds the cost limit of a single rule. */
  readonly unchangedVersions: ReadonlySet<string>;
  /**
   * Versions that have more selectable fields than allowed, as in the stored definition. The name `''` represents the fields that all
   * versions share.
   */
  readonly tooManySelectableFields: ReadonlySet<string>;
  /** True if an update may keep {@link tooManySelectableFields}. */
  readonly keepsSelectableFields: boolean;
}

/** Maximum number of selectable fields in one version. */
export const MAX_SELECTABLE_FIELDS = 8;

/**
 * Returns the requirements for a new definition. In contrast to an update, which may keep old faults, a new definition must meet all
 * requirements.
 */
export function createOptions({ minor, gates }: Server): AdmissionOptions {
  return {
    minor,
    gates,
    environments: expressionEnvironments(minor, undefined),
    wording: new DefinitionWording(minor),
    requireRecognizedReviewVersion: true,
    requireImmutableNames: false,
    requireSchema: true,
    requireKnownTypes: true,
    requireStructural: true,
    requirePrunedDefaults: true,
    requireAtomicSets: true,
    requireMapListKeys: true,
    allowInvalidCaBundle: true,
    unchangedVersions: new Set(),
    tooManySelectableFields: new Set(),
    keepsSelectableFields: false,
  };
}

const isNonStructural = (schema: SchemaProps, minor: Minor): boolean => {
  const converted = toStructural(schema);
  return !converted.ok || validateStructural(undefined, converted.structural, structuralOptions(minor)).length > 0;
};

/** Returns true if a schema is a set whose items are not atomic. */
function isNonAtomicSet(schema: SchemaProps): boolean {
  const items = schema.items?.schema;
  if (schema.listType !== 'set' || items === undefined) return false;
  if (items.type === 'array') return items.listType !== undefined && items.listType !== 'atomic';
  return items.type === 'object' && items.mapType !== 'atomic';
}

/**
 * Returns the versions that have more selectable fields than allowed, but the same fields as in the stored definition. The name `''`
 * represents the fields that all versions share in both definitions. Source: validation.go `findTooManySelectableFieldsAllowed` (1.37).
 */
function unchangedSurplus(definition: Definition, old: Definition): ReadonlySet<string> {
  const hasSurplus = (fields: readonly string[]): boolean => fields.length > MAX_SELECTABLE_FIELDS;
  if (!old.spec.versions.some(({ selectableFields }) => hasSurplus(selectableFields))) return new Set();
  const byName = ({ versions, selectableFields }: HoistedDefinition) =>
    new Map([['', selectableFields], ...versions.map((version) => [version.name, version.selectableFields] as const)]);
  const before = byName(hoist(old));
  const unchanged = [...byName(hoist(definition))].filter(([name, fields]) => {
    const earlier = before.get(name);
    return earlier !== undefined && hasSurplus(earlier) && deepEqualJson([...earlier], [...fields]);
  });
  return new Set(unchanged.map(([name]) => name));
}

/**
 * Returns the requirements that a definition must meet in an update. A requirement is left out if the stored definition `old` does not meet
 * it.
 */
export function updateOptions({ minor, gates }: Server, definition: Definition, old: Definition): AdmissionOptions {
  const schemas = old.spec.versions.map((version) => version.schema).filter((schema) => schema !== undefined);
  const none = (holds: (schema: SchemaProps) => boolean): boolean => !schemas.some((schema) => schemaHas(schema, holds));
  // Kubernetes moves a schema that all old versions share to the level of the definition. There, it counts as the old schema of every
  // version, even of a version that the update adds.
  const common = hoist(old).hasValidation ? old.spec.versions[0] : undefined;
  // If several versions have the same name, the first one counts.
  const first = (versions: readonly DefinitionVersion[], name: string): DefinitionVersion | undefined =>
    versions.find((version) => version.name === name);
  const unchanged = definition.spec.versions.filter(({ name }) => {
    const version = first(definition.spec.versions, name)!;
    const earlier = common ?? first(old.spec.versions, name);
    return earlier !== undefined && version.hasValidation === earlier.hasValidation && sameSchema(version.schema, earlier.schema);
  });
  const review = old.spec.conversion?.webhook?.conversionReviewVersions ?? [];
  return {
    minor,
    gates,
    environments: expressionEnvironments(minor, old),
    wording: new DefinitionWording(minor),
    requireRecognizedReviewVersion: review.length === 0 || recognizedReviewVersions(review),
    requireImmutableNames: isEstablished(old),
    requireSchema: schemas.length === old.spec.versions.length,
    requireKnownTypes: none((schema) => schema.type !== '' && !OPENAPI_TYPES.includes(schema.type)),
    requireStructural: !schemas.some((schema) => isNonStructural(schema, minor)),
    requirePrunedDefaults: !schemas.some((schema) => hasUnprunedDefaults(schema, minor)),
    requireAtomicSets: none(isNonAtomicSet),
    requireMapListKeys: none((schema) => mapListKeyErrors(schema, undefined).length > 0),
    allowInvalidCaBundle: !crdHas(minor, 'bundlesAreChecked') || !isEstablished(old) || hasInvalidCaBundle(old),
    unchangedVersions: new Set(unchanged.map((version) => version.name)),
    tooManySelectableFields: unchangedSurplus(definition, old),
    keepsSelectableFields: crdHas(minor, 'selectableFieldsRatchet'),
  };
}
