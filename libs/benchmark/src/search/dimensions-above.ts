import { nodeAtPath } from '#crd';
import type { LoneRule } from '#crd';
import type { EffectiveSchemas } from '../values/effective-schema.ts';
import { nodePathText } from '../values/field-of.ts';
import { bounds } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';

/**
 * Returns the sizes of the lists and maps above a rule's node, the innermost first. They matter because the rule is evaluated for each
 * element of these lists and maps.
 */
export function dimensionsAbove({ steps, version }: LoneRule, schemas: EffectiveSchemas): readonly Dimension[] {
  const found: Dimension[] = [];
  for (const [i, step] of steps.entries()) {
    const raw = step.kind === 'property' ? undefined : nodeAtPath(version.schema, steps.slice(0, i));
    if (raw === undefined) continue;
    const schema = schemas.of(raw);
    found.unshift({
      field: nodePathText(steps.slice(0, i)),
      ...(step.kind === 'items'
        ? { unit: 'items', ...bounds(schema.minItems, schema.maxItems) }
        : { unit: 'properties', ...bounds(schema.minProperties, schema.maxProperties) }),
    });
  }
  return found;
}
