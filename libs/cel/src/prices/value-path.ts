import type { Overload } from '../library/define.ts';

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
