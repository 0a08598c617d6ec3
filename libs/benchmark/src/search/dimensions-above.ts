import type { LoneRule } from '#crd';
import { fieldOf } from '../values/field-of.ts';
import type { EffectiveSchemas } from '../values/effective-schema.ts';
import { nodeAtPath } from '#crd';
import type { Dimension } from './dimensions.ts';

/** Returns the sizes of the lists and maps above a rule's node, the innermost first: the rule is evaluated for each of their elements. */
export function dimensionsAbove({ steps, version }: LoneRule, schemas: EffectiveSchemas): readonly Dimension[] {
  const found: Dimension[] = [];
  for (const [i, step] of steps.entries()) {
    const raw = step.kind === 'property' ? undefined : nodeAtPath(version.schema, steps.slice(0, i));
    if (raw === undefined) continue;
    const schema = schemas.of(raw);
    const isList = step.kind === 'items';
    const [least, most] = isList ? [schema.minItems, schema.maxItems] : [schema.minProperties, schema.maxProperties];
    found.unshift({
      field: fieldOf(steps.slice(0, i)),
      unit: isList ? 'items' : 'properties',
      least: Number(least ?? 0),
      most: Number(most ?? Infinity),
    });
  }
  return found;
}
