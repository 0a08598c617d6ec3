import type { Overload } from '../library/define.ts';
import type { SizeRange } from '../library/range.ts';
import { MAP_KEY_ELEMENTS } from '../values/schema/declared-type.ts';
import type { TypeShape } from '../values/schema/declared-type.ts';

/** Names of the steps of a {@link ValuePath} that are not field names. Source: cel-go checker/cost.go (v0.29.2). */
export const PATH_STEP = { items: '@items', indices: '@indices', keys: '@keys', values: '@values' } as const;

/**
 * Path from a variable to a value: the variable's name, followed by field names and {@link PATH_STEP}s.
 *
 * Upstream extends such paths with Go's `append`, which shares memory. If two steps are appended to the same path and its memory has spare
 * capacity, the later step replaces the earlier step in both results. As a consequence, keys of two-variable comprehensions get the size of
 * values, which affects the costs. This class reproduces this behaviour.
 */
export class ValuePath {
  static readonly NONE = new ValuePath([], 0, 0);
  readonly #memory: string[];
  readonly #length: number;
  readonly #capacity: number;

  private constructor(memory: string[], length: number, capacity: number) {
    this.#memory = memory;
    this.#length = length;
    this.#capacity = capacity;
  }

  static of(variable: string): ValuePath {
    return new ValuePath([variable], 1, 1);
  }

  /** True for the path of a value that is not reachable from a variable. */
  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Returns the path extended by one step. It may share memory with this path. */
  append(step: string): ValuePath {
    const grows = this.#length === this.#capacity;
    const memory = grows ? this.steps() : this.#memory;
    memory[this.#length] = step;
    return new ValuePath(memory, this.#length + 1, grows ? Math.max(1, 2 * this.#capacity) : this.#capacity);
  }

  /** Returns the current steps of the path. An `append` to another path with the same memory may have replaced a step. */
  steps(): string[] {
    return this.#memory.slice(0, this.#length);
  }
}

/** Returns the path step that an index operator adds to the path of its operand. Undefined if the operand is neither a list nor a map. */
export function indexStep({ parameters }: Overload): string | undefined {
  const kind = parameters[0]?.kind;
  return kind === 'list' ? PATH_STEP.items : kind === 'map' ? PATH_STEP.values : undefined;
}

/**
 * Returns the range of sizes that a schema allows for the value at the end of a path. Undefined if the schema has no such path. The
 * variable at the start of the path is always treated as `self`, as in upstream. Source:
 * k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go `EstimateSize` (1.37).
 */
export function schemaSize(root: TypeShape, steps: readonly string[]): SizeRange | undefined {
  if (steps.length === 0) return undefined;
  let node: TypeShape = root;
  for (let i = 1; i < steps.length; i++) {
    // Map keys are scalars, so no further step can follow them.
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
