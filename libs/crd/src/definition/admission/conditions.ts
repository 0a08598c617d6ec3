import { structuralOptions } from '../../minors/dialect.ts';
import { aggregateText, childPath, indexPath, invalid } from '#kube';
import type { FieldError, Minor } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import { toStructural } from '../../structural/from-schema.ts';
import { validateStructural } from '../../structural/validate-structural.ts';
import type { DefinitionCondition } from '../../verdict.ts';
import { approvalCondition } from './api-approval.ts';

/**
 * Returns the condition that reports non-structural schemas, or undefined if all schemas are structural. Source:
 * pkg/controller/nonstructuralschema (1.37).
 */
function nonStructuralCondition(definition: Definition, minor: Minor): DefinitionCondition | undefined {
  const type = 'NonStructuralSchema';
  const errors: FieldError[] = [];
  const spec = childPath(undefined, 'spec');
  if (definition.spec.preserveUnknownFields) errors.push(invalid(childPath(spec, 'preserveUnknownFields'), true, 'must be false'));
  for (const [i, version] of definition.spec.versions.entries()) {
    if (version.schema === undefined) continue;
    const converted = toStructural(version.schema);
    if (!converted.ok) {
      const message = `failed to check validation schema for version ${version.name}: ${converted.error}`;
      return { type, status: 'Unknown', reason: 'StructuralError', message };
    }
    const at = childPath(indexPath(childPath(spec, 'versions'), i), 'schema', 'openAPIV3Schema');
    errors.push(...validateStructural(at, converted.structural, structuralOptions(minor)));
  }
  const message = aggregateText(errors);
  return message === undefined ? undefined : { type, status: 'True', reason: 'Violations', message };
}

/** Returns the conditions that depend only on the definition itself: the conditions about non-structural schemas and about API approval. */
export function definitionConditions(definition: Definition, minor: Minor): DefinitionCondition[] {
  return [nonStructuralCondition(definition, minor), approvalCondition(definition)].filter((condition) => condition !== undefined);
}
