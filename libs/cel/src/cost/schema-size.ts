import { MAP_KEY } from '../schema/declared-type.ts';
import { STEP } from './value-path.ts';
import type { DeclaredType } from '../schema/declared-type.ts';
import type { SizeRange } from './range.ts';

/**
 * The size that a schema allows at the end of a path; undefined where the path leads out of it. Whatever variable a path begins with, it is
 * read as if that were `self`, as upstream does.
 * Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go `EstimateSize` (1.37).
 */
export function schemaSize(root: DeclaredType, steps: readonly string[]): SizeRange | undefined {
  if (steps.length === 0) return undefined;
  let node: DeclaredType | undefined = root;
  for (let i = 1; i < steps.length && node !== undefined; i++) node = descend(node, steps[i]!);
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
