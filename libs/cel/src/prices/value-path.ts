/** Steps of a {@link ValuePath} that are no field. Source: cel-go checker/cost.go (v0.29.2). */
export const PATH_STEP = { items: '@items', indices: '@indices', keys: '@keys', values: '@values' } as const;

/**
 * A way from a variable to a value: the variable's name, then field names and {@link PATH_STEP}s. Upstream grows such paths with Go's `append`,
 * which shares memory: of two steps appended to one path that has room left, the later replaces the earlier in both results. Keys of
 * two-variable comprehensions get the size of values that way, so costs depend on it.
 */
export class ValuePath {
  static readonly NONE = new ValuePath([], 0, 0);
  private readonly memory: string[];
  private readonly length: number;
  private readonly capacity: number;

  private constructor(memory: string[], length: number, capacity: number) {
    this.memory = memory;
    this.length = length;
    this.capacity = capacity;
  }

  static of(variable: string): ValuePath {
    return new ValuePath([variable], 1, 1);
  }

  /** The path with one step more. */
  append(step: string): ValuePath {
    const grows = this.length === this.capacity;
    const memory = grows ? this.steps() : this.memory;
    memory[this.length] = step;
    return new ValuePath(memory, this.length + 1, grows ? Math.max(1, 2 * this.capacity) : this.capacity);
  }

  /** The steps as they are now. */
  steps(): string[] {
    return this.memory.slice(0, this.length);
  }
}
