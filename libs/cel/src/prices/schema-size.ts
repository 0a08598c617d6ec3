import { MAP_KEY_ELEMENTS } from '../values/schema/declared-type.ts';
import { PATH_STEP } from './value-path.ts';
import type { TypeShape } from '../values/schema/type-shape.ts';
import type { SizeRange } from '../library/range.ts';

/**
 * Returns the range of sizes that a schema allows for the value at the end of a path. Undefined if the schema has no such path. The
 * variable at the start of the path is always treated as `self`, as in upstream. Source:
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go `EstimateSize` (1.37).
 */
export function schemaSize(root: TypeShape, steps: readonly string[]): SizeRange | undefined {
  if (steps.length === 0) return undefined;
  let node: TypeShape = root;
  for (let i = 1; i < steps.length; i++) {
    // Keys are scalars, so a path must end at them.
    if (steps[i] === PATH_STEP.keys) return node.kind === 'map' && i === steps.length - 1 ? upTo(MAP_KEY_ELEMENTS) : undefined;
    const next = descend(node, steps[i]!);
    if (next === undefined) return undefined;
    node = next;
  }
  return upTo(node.maxElements);
}

const upTo = (elements: number): SizeRange => ({ min: 0n, max: BigInt(elements) });

function descend(node: TypeShape, step: string): TypeShape | undefined {
  switch (step) {
    case PATH_STEP.items:
    case PATH_STEP.values:
      return node.kind === 'list' ? node.element : node.kind === 'map' ? node.value : undefined;
    default:
      return node.kind === 'object' ? node.fields.get(step) : undefined;
  }
}
