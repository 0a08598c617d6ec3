import { estimateCost } from '../estimate.ts';
import { schemaSize } from '../value-path.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { SizeRange } from '../../library/range.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import type { PartSizes } from './price-parts.ts';

/** Path from `self` to a value, without `self` itself. A step is a CEL field name or a name in {@link PATH_STEP}. */
export type SizedPath = readonly string[];

/**
 * Returns the paths of all values whose size limits in the schema influence the cost estimate of an expression. Each path occurs once, and
 * the shortest paths come first.
 */
export function sizedPaths(checked: CheckedExpression, sizes: PartSizes): readonly SizedPath[] {
  const found = new Map<string, SizedPath>();
  estimateWith(checked, sizes, (path, size) => {
    if (size !== undefined) found.set(JSON.stringify(path), path);
    return size;
  });
  return [...found.values()].sort((a, b) => a.length - b.length);
}

/**
 * Returns the maximum estimated cost of an expression with other size limits than the schema declares. `declared` returns the type with the
 * new limits for the path of a value. If it returns undefined for a path, the limits of the schema in `sizes` apply there.
 */
export function estimateResized(
  checked: CheckedExpression,
  sizes: PartSizes,
  declared: (path: SizedPath) => DeclaredType | undefined,
): bigint {
  return estimateWith(checked, sizes, (path, size) => {
    const other = size === undefined ? undefined : declared(path);
    return other === undefined ? size : schemaSize(other, ['self']);
  });
}

function estimateWith(
  checked: CheckedExpression,
  { self, environment }: PartSizes,
  sizeOf: (path: SizedPath, size: SizeRange | undefined) => SizeRange | undefined,
): bigint {
  // Kubernetes reads each path as if it began with `self`, whatever its first variable is.
  const sizeAt = (steps: readonly string[]): SizeRange | undefined => sizeOf(steps.slice(1), schemaSize(self, steps));
  return estimateCost(checked, { sizeAt, costs: environment.costs }).max;
}
