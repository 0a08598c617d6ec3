import { EMPTY_SCHEMA } from '#cel';
import type { ValueSchema } from '#cel';

const STRING: ValueSchema = { ...EMPTY_SCHEMA, type: 'string' };

/**
 * Returns a definition's schema in its published form. The fields that every resource has are added to the schema itself if `isResource` is
 * true, and to embedded resources. Source: k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder/builder.go `buildKubeNative`,
 * `addEmbeddedProperties` (1.37).
 *
 * @param metadata schema of the field `metadata`
 */
export function publishedResource(schema: ValueSchema, metadata: ValueSchema, isResource = true): ValueSchema {
  const within = (part: ValueSchema): ValueSchema => publishedResource(part, metadata, part.embeddedResource);
  const properties = new Map(Array.from(schema.properties ?? [], ([name, property]) => [name, within(property)]));
  if (isResource) properties.set('apiVersion', STRING).set('kind', STRING).set('metadata', metadata);
  return {
    ...schema,
    properties: properties.size === 0 ? undefined : properties,
    items: schema.items && within(schema.items),
    additionalProperties: schema.additionalProperties && within(schema.additionalProperties),
  };
}
