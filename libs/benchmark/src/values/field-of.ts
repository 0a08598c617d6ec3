import type { SchemaPath } from '#crd';

/**
 * Returns the path of a schema's node as text, such as `.spec.rules[].name`. Plans of generated objects name their fields in this form. The
 * path of the root is empty.
 */
export function nodePathText(steps: SchemaPath): string {
  return steps.map((step) => (step.kind === 'property' ? `.${step.name}` : step.kind === 'items' ? '[]' : '{}')).join('');
}
