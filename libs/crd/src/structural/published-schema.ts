import type { ServedVersion } from '../object/served-version.ts';
import type { Structural } from './structural.ts';
import { validateStructural } from './validate-structural.ts';

/**
 * The schema that a server publishes of a version in its OpenAPI documents; undefined where it is none or breaks the rules of structural
 * schemas, so that anything goes. Source: apiextensions-apiserver pkg/controller/openapi/builder/builder.go `generateBuilder` (1.37).
 */
export function publishedSchema({ structural }: ServedVersion): Structural | undefined {
  return validateStructural(undefined, structural).length === 0 ? structural : undefined;
}
