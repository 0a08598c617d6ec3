import type { AnalyzedDefinition, SchemaPath, SchemaStep } from '#crd';
import type { KeyPath } from '../../texts/edit-entry.ts';

/** Position inside the schema of one version of a definition. */
export interface SchemaPlace {
  readonly version: string;
  /** Path of the innermost schema node at the position. */
  readonly path: SchemaPath;
  /** Path inside the node, which begins with a keyword. Empty if the position is the node itself. */
  readonly rest: KeyPath;
}

/**
 * Returns the position inside a version's schema to which `path` leads. `path` begins at the root of the CustomResourceDefinition. Returns
 * undefined if it does not lead into a schema.
 */
export function schemaPlace(path: KeyPath, versions: AnalyzedDefinition['versions']): SchemaPlace | undefined {
  const [spec, list, index, schema, root, ...steps] = path;
  if (spec !== 'spec' || list !== 'versions' || typeof index !== 'number' || schema !== 'schema' || root !== 'openAPIV3Schema')
    return undefined;
  const version = versions[index];
  if (version === undefined) return undefined;
  const found: SchemaStep[] = [];
  let at = 0;
  for (; at < steps.length; at++) {
    const step = steps[at];
    const name = steps[at + 1];
    if (step === 'properties' && typeof name === 'string') {
      found.push({ kind: 'property', name });
      at++;
    } else if (step === 'items' || step === 'additionalProperties') found.push({ kind: step });
    else break;
  }
  return { version, path: found, rest: steps.slice(at) };
}

/**
 * Returns the index of the rule that contains a position, and the name of the rule's field there. Returns undefined if the position is not
 * inside a rule.
 */
export function ruleAt({ rest }: SchemaPlace): { readonly index: number; readonly field: string | undefined } | undefined {
  const [keyword, index, field] = rest;
  if (keyword !== 'x-kubernetes-validations' || typeof index !== 'number') return undefined;
  return { index, field: typeof field === 'string' ? field : undefined };
}
