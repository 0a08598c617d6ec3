import { compileExpression, typeText } from '#cel';
import type { CompiledExpression, CompileOptions, DeclaredType } from '#cel';

/**
 * Cache of recently compiled expressions. It serves callers that compute the verdict on a definition again and again while the definition
 * is edited. The result of a compilation depends on the text, the environment and the shape of `self`: types, field names and bounds. An
 * expression is compiled again only if its text, environment or shape changed. `begin` drops unused entries, which bounds the cache.
 */
export class CompiledExpressions {
  readonly #shapes = new WeakMap<DeclaredType, number>();
  /**
   * Types whose shape number was looked up since the last call of `begin`. The first lookup of a type marks its shape as used, so that
   * `begin` does not drop the number.
   */
  #recent = new WeakSet<DeclaredType>();
  readonly #shapeIds = new Generations<number>();
  readonly #compiled = new Generations<CompiledExpression>();
  #lastId = 0;
  #compilations = 0;

  /** Number of expressions compiled so far, for tests and benchmarks. */
  get compilations(): number {
    return this.#compilations;
  }

  /** Prepares the next verdict. Drops the entries that the previous verdict did not use. */
  begin(): void {
    this.#shapeIds.turn();
    this.#compiled.turn();
    this.#recent = new WeakSet();
  }

  /**
   * Returns the result of `compileExpression` from the cache, or compiles the expression. The interpreter evaluates the resulting program.
   */
  compile(text: string, options: CompileOptions): CompiledExpression {
    const { self, oldSelf, environment, expect } = options;
    const key = `${this.#shapeOf(self)} ${oldSelf} ${expect} ${environment.minor} ${environment.use} ${text}`;
    return this.#compiled.get(key, () => {
      this.#compilations++;
      return compileExpression(text, options);
    });
  }

  /**
   * Returns the number of the type's shape. Two types have the same number exactly if cost estimates and type checks treat them equally.
   */
  #shapeOf(type: DeclaredType): number {
    const known = this.#shapes.get(type);
    if (known !== undefined && this.#recent.has(type)) return known;
    this.#recent.add(type);
    const id = this.#shapeIds.get(this.#shapeText(type), () => known ?? ++this.#lastId);
    this.#shapes.set(type, id);
    return id;
  }

  #shapeText(type: DeclaredType): string {
    const sizes = `${type.kind} ${type.maxElements} ${type.minSerializedSize}`;
    switch (type.kind) {
      case 'scalar':
        return `${sizes} ${typeText(type.type)}`;
      case 'list':
        return `${sizes} ${this.#shapeOf(type.element)}`;
      case 'map':
        return `${sizes} ${this.#shapeOf(type.value)}`;
      case 'object':
        return `${sizes} ${[...type.fields].map(([name, field]) => `${name}:${this.#shapeOf(field)}`).join(' ')}`;
    }
  }
}

/** Cache of values by key. Each call of `turn` drops the values that were not used since the previous call of `turn`. */
class Generations<T> {
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  turn(): void {
    this.#old = this.#young;
    this.#young = new Map();
  }

  get(key: string, make: () => T): T {
    const value = this.#young.get(key) ?? this.#old.get(key) ?? make();
    this.#young.set(key, value);
    return value;
  }
}
