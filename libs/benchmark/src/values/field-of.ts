import type { SchemaPath } from '#crd';

/** Returns the path of a schema's node in the form that plans use: `.spec.rules[].name`. The path of the root is empty. */
export function fieldOf(steps: SchemaPath): string {
  return steps.map((step) => (step.kind === 'property' ? `.${step.name}` : step.kind === 'items' ? '[]' : '{}')).join('');
}
