import type { ServedVersion } from '../object/served-version.ts';
import type { Structural } from './structural.ts';
import { validateStructural } from './validate-structural.ts';

/**
 * Returns the schema that a server publishes for a version in its OpenAPI documents. Returns undefined if the schema is missing or not
 * structural. In that case, the documents allow any object. Source: apiextensions-apiserver pkg/controller/openapi/builder/builder.go
 * `generateBuilder` (1.37).
 */
export function publishedSchema({ structural }: ServedVersion): Structural | undefined {
  return validateStructural(undefined, structural).length === 0 ? structural : undefined;
}
