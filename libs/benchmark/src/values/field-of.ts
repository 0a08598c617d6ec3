import type { SchemaPath } from '#crd';

/** Returns the field of a schema's node, as plans name it: `.spec.rules[].name`. The root's is empty. */
export function fieldOf(steps: SchemaPath): string {
  return steps.map((step) => (step.kind === 'property' ? `.${step.name}` : step.kind === 'items' ? '[]' : '{}')).join('');
}
