import type { JsonObject, JsonValue } from '#go';
import type { Scale } from '../object/write/scale.ts';
import type { SchemaProps } from './schema-props.ts';

/** A CustomResourceDefinition, decoded from v1. Source: apiextensions-apiserver pkg/apis/apiextensions/v1/types.go (1.37). */
export interface Definition {
  /** Metadata that was decoded as metav1.ObjectMeta; see `write/typed-metadata.ts`. */
  readonly metadata: JsonObject;
  readonly spec: DefinitionSpec;
  readonly status: DefinitionStatus;
}

/** The spec of a definition. */
export interface DefinitionSpec {
  readonly group: string;
  readonly names: DefinitionNames;
  readonly scope: string;
  readonly versions: readonly DefinitionVersion[];
  /** True if the list of versions is present, even if it is empty. */
  readonly listsVersions: boolean;
  readonly conversion: Conversion | undefined;
  readonly preserveUnknownFields: boolean;
}

/** Names under which a resource is served. */
export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

/** One version of a resource. */
export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  /** True if the field `schema` of the version is present, even if it contains no `openAPIV3Schema`. */
  readonly hasValidation: boolean;
  readonly schema: SchemaProps | undefined;
  readonly subresources: Subresources | undefined;
  readonly printerColumns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
}

/** Subresources that are served. */
export interface Subresources {
  readonly status: boolean;
  readonly scale: Scale | undefined;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

/** The conversion of objects between versions. */
export interface Conversion {
  readonly strategy: string;
  readonly webhook: WebhookConversion | undefined;
}

/** A conversion webhook. */
export interface WebhookConversion {
  readonly clientConfig: WebhookClientConfig | undefined;
  readonly conversionReviewVersions: readonly string[];
}

/** Address and CA bundle of a webhook. */
export interface WebhookClientConfig {
  readonly url: string | undefined;
  readonly service: ServiceReference | undefined;
  /** CA bundle as base64 text, as the client sent it. Undefined if absent. */
  readonly caBundle: string | undefined;
}

/** Service that a webhook runs on. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly port: number;
}

/** The status of a definition, which controllers write. */
export interface DefinitionStatus {
  readonly conditions: readonly StoredCondition[];
  readonly acceptedNames: DefinitionNames;
  readonly storedVersions: readonly string[];
  readonly observedGeneration: number | bigint | undefined;
}

/** Condition of a definition in its stored form. */
export interface StoredCondition {
  readonly type: string;
  readonly status: string;
  readonly json: JsonValue;
}

/** Returns true if the definition has the condition `Established`, so that its resources are served. */
export function isEstablished(definition: Definition): boolean {
  return definition.status.conditions.some((condition) => condition.type === 'Established' && condition.status === 'True');
}
