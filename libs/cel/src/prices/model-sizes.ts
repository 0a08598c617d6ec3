import { codePointLength } from '#go';
import { EXPANSION, OPERATOR } from '../library/names.ts';
import { addRanges, exactly, unionOfKnown, unionSizes, UNKNOWN_SIZE } from '../library/range.ts';
import { DYN } from '../values/types/type.ts';
import { BoundVariables } from './node-estimate.ts';
import type { EstimateOptions } from './node-estimate.ts';
import { PATH_STEP, ValuePath } from './value-path.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { CallExpr, Expr, ListExpr, MapExpr } from '../language/syntax/ast.ts';
import type { SizeRange } from '../library/range.ts';
import type { Constant } from '../values/value.ts';
import type { CelType } from '../values/types/type.ts';

/** Variable that a comprehension binds, with its path and, if it is known without the schema, its size. */
export interface SizedVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
}

/** Value whose size is asked for: an expression, or only a path in the schema. */
interface SizedValue {
  readonly node: Expr | undefined;
  /** Steps of the path. The list is empty if the value has no path. */
  readonly steps: readonly string[];
  readonly type: CelType;
}

/** Sizes of a container that are known so far. */
interface ContainerSizes {
  readonly size?: SizeRange | undefined;
  readonly key?: SizeRange | undefined;
  readonly element?: SizeRange | undefined;
}

const ONE = exactly(1n);
/** Number of steps of the longest path below which the sizes of a dynamic value's entries are looked up. */
const MAX_HINT_DEPTH = 32;

/**
 * Sizes of the values in one expression, with the sizes of their keys and elements. Source: cel-go common/cost/estimator.go `computeSize`,
 * default_strategy.go, at model version 0 (v0.33.2).
 */
export class ModelSizes {
  readonly scope = new BoundVariables<SizedVariable>();
  readonly #checked: CheckedExpression;
  readonly #options: EstimateOptions;
  readonly #computed = new Map<number, SizeRange>();
  readonly #paths = new Map<number, ValuePath>();

  constructor(checked: CheckedExpression, options: EstimateOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  typeOf(node: Expr): CelType {
    return this.#checked.types.get(node.id) ?? DYN;
  }

  /** Returns the path of a node's value. For a bound variable, this is the path of the value that it is bound to now. */
  pathOf(node: Expr): ValuePath {
    const variable = node.kind === 'ident' ? this.scope.variable(node.name) : undefined;
    return variable?.path ?? this.#paths.get(node.id) ?? ValuePath.NONE;
  }

  setPath(node: Expr, path: ValuePath): void {
    this.#paths.set(node.id, path);
  }

  /** Stores the size of a node's value. Later look-ups return this size. An undefined size changes nothing. */
  setSize(node: Expr, size: SizeRange | undefined): void {
    if (size !== undefined) this.#computed.set(node.id, size);
  }

  /** Returns the size of a node's value, or undefined if nothing is known about it. */
  of(node: Expr): SizeRange | undefined {
    const known = this.#computed.get(node.id);
    if (known !== undefined) return known;
    const steps = this.pathOf(node).steps();
    const variable = node.kind === 'ident' ? this.scope.variable(node.name) : undefined;
    if (variable?.size !== undefined) {
      const fromSchema = this.#sizeAt(steps);
      this.setSize(node, fromSchema);
      return fromSchema ?? variable.size;
    }
    const size = this.#sizeOf({ node, steps, type: this.typeOf(node) });
    this.setSize(node, size);
    return size;
  }

  #sizeAt(steps: readonly string[]): SizeRange | undefined {
    return steps.length === 0 ? undefined : this.#options.sizeAt(steps);
  }

  #sizeOf(value: SizedValue): SizeRange | undefined {
    const literal = value.node && literalSize(value.node);
    if (literal !== undefined) return literal;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all other types have no entries
    switch (value.type.kind) {
      case 'list':
        return this.#sizeOfList(value, value.type.element);
      case 'map':
        return this.#sizeOfMap(value, value.type.key, value.type.value);
      case 'dyn':
      case 'any':
      case 'typeParameter':
        return this.#sizeOfDynamic(value);
      default:
        return this.#sizeOfScalar(value);
    }
  }

  #sizeOfScalar({ steps, type }: SizedValue): SizeRange | undefined {
    return this.#sizeAt(steps) ?? (hasFixedSize(type) ? ONE : undefined);
  }

  #sizeOfList(value: SizedValue, elementType: CelType): SizeRange | undefined {
    const found = this.#listInExpression(value, elementType);
    let size = found.size ?? this.#sizeAt(value.steps);
    const element = this.#entrySize(value.steps, PATH_STEP.items, elementType, found.element ?? size?.element);
    if (size === undefined && element === undefined && value.node !== undefined) size = UNKNOWN_SIZE;
    return listSize(size, element);
  }

  #sizeOfMap(value: SizedValue, keyType: CelType, valueType: CelType): SizeRange | undefined {
    const found = this.#mapInExpression(value, keyType, valueType);
    let size = found.size ?? this.#sizeAt(value.steps);
    const key = this.#entrySize(value.steps, PATH_STEP.keys, keyType, found.key ?? size?.key);
    const element = this.#entrySize(value.steps, PATH_STEP.values, valueType, found.element ?? size?.element);
    if (size === undefined && key === undefined && element === undefined && value.node !== undefined) size = UNKNOWN_SIZE;
    return mapSize({ size, key, element });
  }

  #sizeOfDynamic(value: SizedValue): SizeRange | undefined {
    const { node, steps, type } = value;
    if (node?.kind === 'list') return this.#sizeOfList(value, DYN);
    if (node?.kind === 'map') return this.#sizeOfMap(value, DYN, DYN);
    if (node?.kind === 'call' && node.function === OPERATOR.conditional) return this.#choiceSize(node, type);
    const size = this.#sizeOfScalar(value);
    const items = this.#hintedEntry(steps, PATH_STEP.items);
    if (items !== undefined) return listSize(size, items);
    const key = this.#hintedEntry(steps, PATH_STEP.keys);
    const element = this.#hintedEntry(steps, PATH_STEP.values);
    return key === undefined && element === undefined ? size : mapSize({ size, key, element });
  }

  #hintedEntry(steps: readonly string[], step: string): SizeRange | undefined {
    if (steps.length === 0 || steps.length >= MAX_HINT_DEPTH) return undefined;
    const path = [...steps, step];
    return this.#sizeAt(path) === undefined ? undefined : known(this.#sizeOf({ node: undefined, steps: path, type: DYN }));
  }

  /**
   * Returns the size of a container's entries. The schema adds what is not known from the expression. Undefined if nothing is known about
   * the size.
   */
  #entrySize(steps: readonly string[], step: string, type: CelType, size: SizeRange | undefined): SizeRange | undefined {
    let found = size;
    const mayNest = type.kind === 'list' || type.kind === 'map' || isDynamic(type);
    if (steps.length > 0 && (found === undefined || (found.element === undefined && mayNest))) {
      const fromSchema = known(this.#sizeOf({ node: undefined, steps: [...steps, step], type }));
      if (fromSchema !== undefined) found = found === undefined ? fromSchema : { ...fromSchema, min: found.min, max: found.max };
    }
    return found ?? (hasFixedSize(type) ? ONE : undefined);
  }

  /** Returns the size of a part of an expression. `type` is the type that the expression requires of the part. */
  #partSize(node: Expr, type: CelType): SizeRange {
    return this.of(node) ?? this.#sizeOf({ node, steps: [], type }) ?? UNKNOWN_SIZE;
  }

  #choiceSize({ args }: CallExpr, type: CelType): SizeRange {
    return unionSizes(this.#partSize(args[1]!, type), this.#partSize(args[2]!, type));
  }

  #listInExpression({ node, type }: SizedValue, elementType: CelType): ContainerSizes {
    if (node?.kind === 'list') return this.#listLiteral(node, elementType);
    if (node?.kind !== 'call') return {};
    const { args } = node;
    if (node.function === OPERATOR.add) return wholeSize(joinedSizes(this.#partSize(args[0]!, type), this.#partSize(args[1]!, type)));
    return node.function === OPERATOR.conditional ? wholeSize(this.#choiceSize(node, type)) : {};
  }

  #listLiteral({ elements, optionalIndices }: ListExpr, elementType: CelType): ContainerSizes {
    let element: SizeRange | undefined;
    let max = BigInt(elements.length);
    const optional = new Set(optionalIndices);
    for (const [i, written] of elements.entries()) {
      const node = optional.has(i) ? optionalValue(written) : written;
      if (node === undefined) max -= 1n;
      else element = unionOfKnown(element, this.#partSize(node, elementType));
    }
    return { size: { min: BigInt(elements.length - optionalIndices.length), max }, element };
  }

  #mapInExpression({ node, type }: SizedValue, keyType: CelType, valueType: CelType): ContainerSizes {
    if (node?.kind === 'map') return this.#mapLiteral(node, keyType, valueType);
    if (node?.kind !== 'call') return {};
    if (node.function === OPERATOR.conditional) return wholeSize(this.#choiceSize(node, type));
    if (node.function !== EXPANSION.mapInsert) return {};
    const [map, added, value] = node.args;
    const before = this.#partSize(map!, type);
    if (value === undefined) return wholeSize(joinedSizes(before, this.#partSize(added!, type)));
    const key = unionOfKnown(before.key, this.#partSize(added!, keyType));
    const element = unionOfKnown(before.element, this.#partSize(value, valueType));
    return { size: addRanges(before, ONE), key, element };
  }

  #mapLiteral({ entries }: MapExpr, keyType: CelType, valueType: CelType): ContainerSizes {
    let [key, element]: (SizeRange | undefined)[] = [];
    for (const entry of entries) {
      key = unionOfKnown(key, this.#partSize(entry.key, keyType));
      element = unionOfKnown(element, this.#partSize(entry.value, valueType));
    }
    const required = entries.filter(({ optional }) => !optional).length;
    return { size: { min: BigInt(required), max: BigInt(entries.length) }, key, element };
  }
}

/** Returns the size of a literal. Undefined for all nodes but literals without entries. */
function literalSize(node: Expr): SizeRange | undefined {
  return node.kind === 'constant' && node.name === undefined ? exactly(BigInt(constantSize(node.constant))) : undefined;
}

/** Returns the size of a constant: code points of a string, bytes of a bytes value, and 1 for all other constants. */
export function constantSize(constant: Constant): number {
  if (constant.type === 'string') return codePointLength(constant.value);
  return constant.type === 'bytes' ? constant.value.length : 1;
}

/** Returns the part of an optional element that a list literal contains. Undefined if the element is `optional.none()`. */
function optionalValue(node: Expr): Expr | undefined {
  if (node.kind !== 'call' || node.target !== undefined) return node;
  if (node.function === EXPANSION.optionalNone && node.args.length === 0) return undefined;
  const wraps = node.function === EXPANSION.optionalOf || node.function === EXPANSION.optionalOfNonZeroValue;
  return wraps && node.args.length === 1 ? node.args[0] : node;
}

const wholeSize = (size: SizeRange): ContainerSizes => ({ size, key: size.key, element: size.element });

/** Returns the size of a concatenation, with the united sizes of keys and elements. */
function joinedSizes(a: SizeRange, b: SizeRange): SizeRange {
  return { ...addRanges(a, b), key: unionOfKnown(a.key, b.key), element: unionOfKnown(a.element, b.element) };
}

function listSize(size: SizeRange | undefined, element: SizeRange | undefined): SizeRange | undefined {
  if (size === undefined) return element && { ...UNKNOWN_SIZE, element };
  return { min: size.min, max: size.max, element: element ?? (size.max > 0n ? UNKNOWN_SIZE : undefined) };
}

function mapSize({ size, key, element }: ContainerSizes): SizeRange | undefined {
  if (size === undefined && key === undefined && element === undefined) return undefined;
  const { min, max } = size ?? UNKNOWN_SIZE;
  const unknown = max > 0n ? UNKNOWN_SIZE : undefined;
  return { min, max, key: key ?? unknown, element: element ?? unknown };
}

/** Returns a size; undefined if nothing is known about it. */
function known(size: SizeRange | undefined): SizeRange | undefined {
  if (size === undefined || size.key !== undefined || size.element !== undefined) return size;
  return size.min === UNKNOWN_SIZE.min && size.max === UNKNOWN_SIZE.max ? undefined : size;
}

const isDynamic = ({ kind }: CelType): boolean => kind === 'dyn' || kind === 'any' || kind === 'typeParameter';

/** Returns true if all values of a type have the size 1, also within an optional. Source: common/cost/estimator.go `computeTypeSize`. */
function hasFixedSize(type: CelType): boolean {
  return isScalar(type) || (type.kind === 'optional' && isScalar(type.value));
}

const SCALARS: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint', 'type']);
const isScalar = ({ kind }: CelType): boolean => SCALARS.has(kind);
