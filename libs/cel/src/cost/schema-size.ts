import { MAP_KEY } from '../schema/declared-type.ts';
import type { DeclaredType } from '../schema/declared-type.ts';
import type { SizeRange } from './range.ts';

/** A way from a variable to a value: the variable's name, then field names and the steps below. */
export type ValuePath = readonly string[];

/** Steps of a {@link ValuePath} that are no field. Source: cel-go checker/cost.go (v0.29.2). */
export const STEP = { items: '@items', indices: '@indices', keys: '@keys', values: '@values' } as const;

/**
 * The size that a schema allows at a path; undefined where the path leads out of it. Whatever variable a path begins with, it is read as
 * if that were `self`, as upstream does.
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go `EstimateSize` (1.37).
 */
export function schemaSize(root: DeclaredType | undefined, path: ValuePath): SizeRange | undefined {
  if (path.length === 0) return undefined;
  let node = root;
  for (let i = 1; i < path.length && node !== undefined; i++) node = descend(node, path[i]!);
  return node === undefined ? undefined : { min: 0n, max: BigInt(node.maxElements) };
}

function descend(node: DeclaredType, step: string): DeclaredType | undefined {
  switch (step) {
    case STEP.items:
    case STEP.values:
      return node.kind === 'list' ? node.element : node.kind === 'map' ? node.value : undefined;
    case STEP.keys:
      return node.kind === 'map' ? MAP_KEY : undefined;
    default:
      return node.kind === 'object' ? node.fields.get(step) : undefined;
  }
}
