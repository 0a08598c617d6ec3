import { estimateCost } from '../cost/estimate.ts';
import { schemaSize } from '../cost/schema-size.ts';
import type { CheckedExpression } from '../check/checked.ts';
import type { PartSizes } from './price-parts.ts';

/**
 * The values whose size, as the schema bounds it, the estimate of an expression depends on: steps from `self` (CEL field names, and those of
 * {@link STEP}), without `self` itself. Each once, the
 * shortest first.
 */
export function sizedPaths(checked: CheckedExpression, { self, environment }: PartSizes): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  const sizeAt = (steps: readonly string[]): ReturnType<typeof schemaSize> => {
    const size = schemaSize(self, steps);
    // Whatever variable a path begins with, upstream reads it as if that were `self`.
    const path = steps.slice(1);
    if (size !== undefined) found.set(JSON.stringify(path), path);
    return size;
  };
  estimateCost(checked, { sizeAt, costs: environment.costs });
  return [...found.values()].sort((a, b) => a.length - b.length);
}
