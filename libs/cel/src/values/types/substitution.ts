import { DYN, isDyn, isExactType, runtimeTypeName, typeParameters } from './type.ts';
import type { CelType } from './type.ts';

/**
 * Bindings of type parameters to types. They grow while an expression is checked. A failed attempt to unify types leaves the bindings
 * unchanged. Source: cel-go checker/types.go, checker/mapping.go (v0.33.2).
 */
export class Substitution {
  readonly #rules: UnificationRules;
  readonly #bindings = new Map<string, CelType>();
  /** Previous values of changed bindings, in the order of the changes. They are used to undo a failed attempt to unify types. */
  readonly #trail: { readonly name: string; readonly before: CelType | undefined }[] = [];

  constructor(rules: UnificationRules) {
    this.#rules = rules;
  }

  /** Returns true if a value of type `from` fits the type `to`. If it fits, binds the type parameters accordingly. */
  assign(from: CelType, to: CelType): boolean {
    return this.#attempt(() => this.#isAssignable(from, to));
  }

  /** Returns true if each type in `from` fits the type at the same index in `to`, and binds type parameters like {@link assign}. */
  assignAll(from: readonly CelType[], to: readonly CelType[]): boolean {
    return this.#attempt(() => this.#areAssignable(from, to));
  }

  /** Returns the type with all bound type parameters replaced by their bindings. */
  apply(type: CelType): CelType {
    return replaceParameters(type, (parameter) => this.#bound(parameter));
  }

  /** Returns the type with bound type parameters replaced by their bindings, and unbound ones by `dyn`. */
  resolve(type: CelType): CelType {
    return replaceParameters(type, (parameter) => this.#bound(parameter) ?? DYN);
  }

  /** Returns the more general of two types that unify. */
  mostGeneral(a: CelType, b: CelType): CelType {
    return this.#saysNoMore(a, b) ? a : b;
  }

  #attempt(unify: () => boolean): boolean {
    const mark = this.#trail.length;
    if (unify()) return true;
    while (this.#trail.length > mark) {
      const { name, before } = this.#trail.pop()!;
      if (before === undefined) this.#bindings.delete(name);
      else this.#bindings.set(name, before);
    }
    return false;
  }

  #bound(type: CelType): CelType | undefined {
    return type.kind === 'typeParameter' ? this.#bindings.get(type.name) : undefined;
  }

  #bind(parameter: CelType, type: CelType): void {
    const name = runtimeTypeName(parameter);
    this.#trail.push({ name, before: this.#bindings.get(name) });
    this.#bindings.set(name, type);
  }

  #isAssignable(from: CelType, to: CelType): boolean {
    if (to.kind === 'typeParameter') {
      const { valid, hadBinding } = this.#substitutes(from, to);
      if (valid) return true;
      if (hadBinding) return false;
    }
    if (from.kind === 'typeParameter') return this.#substitutes(to, from).valid;
    if (isWild(from) || isWild(to)) return true;
    if (from.kind === 'null') return isNullable(to);
    if (to.kind === 'null') return isNullable(from);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no parts
    switch (from.kind) {
      case 'type':
        return to.kind === 'type' && this.#areTypesAssignable(from.of, to.of);
      case 'opaque':
      case 'optional':
      case 'list':
      case 'map':
        return (
          from.kind === to.kind &&
          runtimeTypeName(from) === runtimeTypeName(to) &&
          this.#areAssignable(typeParameters(from), typeParameters(to))
        );
      default:
        return from.kind === to.kind && runtimeTypeName(from) === runtimeTypeName(to);
    }
  }

  /** Returns true if `type(from)` fits `type(to)`. If `from` or `to` is undefined, it is the type of all types. */
  #areTypesAssignable(from: CelType | undefined, to: CelType | undefined): boolean {
    if (!this.#rules.typesUnify) return true;
    if (from === undefined || to === undefined) return to === undefined;
    return hasParameter(from) || hasParameter(to) ? this.#isAssignable(from, to) : true;
  }

  #areAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, i) => this.#isAssignable(type, to[i]!));
  }

  /**
   * Binds `parameter` to `type` if possible. `valid` is true if the parameter can represent the type. `hadBinding` is true if the parameter
   * was bound before.
   */
  #substitutes(type: CelType, parameter: CelType): { valid: boolean; hadBinding: boolean } {
    if (isExactType(type, parameter)) return { valid: true, hadBinding: true };
    const bound = this.#bound(parameter);
    if (bound !== undefined) {
      if (isExactType(type, bound)) return { valid: true, hadBinding: true };
      if (!this.#isAssignable(type, bound)) return { valid: false, hadBinding: true };
      const general = this.mostGeneral(type, bound);
      if (!this.#occursIn(parameter, general)) this.#bind(parameter, general);
      return { valid: true, hadBinding: true };
    }
    if (this.#occursIn(parameter, type)) return { valid: false, hadBinding: false };
    this.#bind(parameter, type);
    return { valid: true, hadBinding: false };
  }

  /** Returns true if `a` is equal to `b` or less specific than `b`. Source: cel-go checker/types.go `isEqualOrLessSpecific` (v0.33.2). */
  #saysNoMore(a: CelType, b: CelType): boolean {
    if (isDyn(a) || a.kind === 'typeParameter') return true;
    if (isDyn(b) || b.kind === 'typeParameter') return false;
    if (a.kind !== b.kind) return false;
    const bs = typeParameters(b);
    const as = typeParameters(a);
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no parts
    switch (a.kind) {
      case 'opaque':
      case 'optional':
      case 'list':
      case 'map':
        return (
          runtimeTypeName(a) === runtimeTypeName(b) && as.length === bs.length && as.every((part, i) => this.#saysNoMore(part, bs[i]!))
        );
      case 'type':
        if (!this.#rules.typesUnify || as.length === 0) return true;
        return bs.length > 0 && this.#saysNoMore(as[0]!, bs[0]!);
      default:
        return isExactType(a, b);
    }
  }

  #occursIn(parameter: CelType, type: CelType): boolean {
    if (isExactType(parameter, type)) return true;
    if (type.kind === 'typeParameter') {
      const bound = this.#bound(type);
      return bound !== undefined && this.#occursIn(parameter, bound);
    }
    return typeParameters(type).some((part) => this.#occursIn(parameter, part));
  }
}

/**
 * Replaces each type parameter in a type by the result of `lookup`. Parameters inside the result are replaced in turn. A parameter for
 * which `lookup` returns undefined is kept.
 */
export function replaceParameters(type: CelType, lookup: (parameter: CelType) => CelType | undefined): CelType {
  const replace = (part: CelType): CelType => replaceParameters(part, lookup);
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have no parts
  switch (type.kind) {
    case 'typeParameter': {
      const found = lookup(type);
      return found === undefined ? type : replace(found);
    }
    case 'list': {
      const element = replace(type.element);
      return element === type.element ? type : { kind: 'list', element };
    }
    case 'map': {
      const key = replace(type.key);
      const value = replace(type.value);
      return key === type.key && value === type.value ? type : { kind: 'map', key, value };
    }
    case 'optional': {
      const value = replace(type.value);
      return value === type.value ? type : { kind: 'optional', value };
    }
    case 'type':
      return type.of === undefined ? type : { kind: 'type', of: replace(type.of) };
    case 'opaque':
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(replace) };
    default:
      return type;
  }
}

/** Settings of the unification of types that differ between Kubernetes minor versions. */
export interface UnificationRules {
  /** True if the types `type(T)` and `type(U)` are unified by `T` and `U`. If false, they always fit. */
  readonly typesUnify: boolean;
}

function hasParameter(type: CelType): boolean {
  return type.kind === 'typeParameter' || typeParameters(type).some(hasParameter);
}

const isWild = (type: CelType): boolean => type.kind === 'error' || isDyn(type);

/**
 * Returns true if `null` is assignable to the type, such as an object, an optional or a wrapper type. Source: cel-go checker/types.go
 * `isLegacyNullable` (v0.29.2).
 */
function isNullable(type: CelType): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types say so themselves
  switch (type.kind) {
    case 'null':
    case 'opaque':
    case 'optional':
    case 'object':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return 'nullable' in type;
  }
}
