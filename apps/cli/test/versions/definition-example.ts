import { parse } from 'yaml';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import type { DocumentsExample, Example, ExpressionExample } from './example.ts';

/** Documents about a definition whose verdict or texts differ between two Kubernetes versions. The last document is the definition. */
export interface DefinitionExample {
  readonly documents: readonly string[];
  readonly featureGates?: DocumentsExample['featureGates'];
}

interface Custom {
  metadata: Record<string, unknown>;
  spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: Record<string, unknown> } } } }[] };
}

/**
 * Returns the example of a difference as one about a definition. The definition gets the object as a default, the metadata of the
 * object, or the expression as a rule.
 */
export function definitionExample(example: Example): DefinitionExample {
  if ('expression' in example) return { documents: [ruleOf(example)] };
  const { documents, stored, featureGates } = example;
  const gates = featureGates && { featureGates };
  if (stored !== undefined) return { documents: [stored, ...documents], ...gates };
  const [definition = '', object] = documents;
  return { documents: [object === undefined ? definition : withObject(definition, object)], ...gates };
}

/** Returns a definition with a rule that is valid if and only if the expression is, whatever its type is. */
function ruleOf({ expression, schema = 'type: object' }: ExpressionExample): string {
  const rule = JSON.stringify(`[${expression}].size() == 1`);
  const message = expression.includes('\n') ? ', message: none' : '';
  return yamlDefinition(`${schema}\nx-kubernetes-validations: [{rule: ${rule}${message}}]`);
}

function withObject(definition: string, object: string): string {
  const custom = parse(definition) as Custom;
  const { metadata, spec } = parse(object) as { metadata: Record<string, unknown>; spec?: unknown };
  const { name: _, namespace: __, ...rest } = metadata;
  Object.assign(custom.metadata, rest);
  const schema = custom.spec.versions[0]?.schema.openAPIV3Schema.properties.spec;
  if (schema !== undefined && spec !== undefined) schema['default'] = spec;
  return `${JSON.stringify(custom)}\n`;
}
