import { compileExpression, typeText } from '#cel';
import type { CompiledExpression, CompileOptions, DeclaredType } from '#cel';

/**
 * Expressions compiled lately, for whoever judges a definition again and again while it is being written. What compiling gives follows from the text, the
 * environment and the shape of `self`: types, names of fields and bounds. So an expression is compiled again only where one of these changed.
 * Bounded: what two judgements in a row did not ask for is forgotten.
 */
export class CompiledExpressions {
  readonly #shapes = new WeakMap<DeclaredType, number>();
  /** Types whose shapes were asked for in this turn, so that they are not forgotten while their types live on. */
  #recent = new WeakSet<DeclaredType>();
  readonly #shapeIds = new Generations<number>();
  readonly #compiled = new Generations<CompiledExpression>();
  #lastId = 0;
  #compilations = 0;

  /** Number of expressions compiled so far, for tests and benchmarks. */
  get compilations(): number {
    return this.#compilations;
  }

  /** Says that another judgement begins. */
  begin(): void {
    this.#shapeIds.turn();
    this.#compiled.turn();
    this.#recent = new WeakSet();
  }

  /** As `compileExpression`, interpreted. */
  compile(text: string, options: CompileOptions): CompiledExpression {
    const { self, oldSelf, environment, expect } = options;
    const key = `${this.#shapeOf(self)} ${oldSelf} ${expect} ${environment.minor} ${environment.use} ${text}`;
    return this.#compiled.get(key, () => {
      this.#compilations++;
      return compileExpression(text, options);
    });
  }

  /** A number that types have in common exactly when estimates and checks cannot tell them apart. */
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

/** Cache of values. It keeps values that were used in this turn or the last one. */
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
