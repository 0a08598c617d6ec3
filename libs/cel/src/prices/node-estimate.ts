import type { CostVersion, EstimatedOperand } from '../library/define.ts';
import { unionOfKnown, UNKNOWN_SIZE } from '../library/range.ts';
import type { CostRange, SizeRange } from '../library/range.ts';
import type { CelType } from '../values/types/type.ts';
import type { ValuePath } from './value-path.ts';

/** Inputs of a cost estimate besides the expression. */
export interface EstimateOptions {
  /**
   * Returns the size of the value at the end of a path. Undefined if the schema does not determine the size. A path is a variable, followed
   * by field names and the steps in `PATH_STEP`, and is never empty.
   */
  readonly sizeAt: (steps: readonly string[]) => SizeRange | undefined;
  readonly costs: CostVersion;
  /** True if `has()` itself costs one unit. Kubernetes never sets this option. */
  readonly presenceTestHasCost?: boolean;
}

/** Estimated cost of one node, for a single evaluation of this node. */
export interface NodeEstimate {
  /** Cost of the node without its operands. It is 0 for a comprehension. */
  readonly own: CostRange;
  /** Cost of the node with its operands. */
  readonly total: CostRange;
  /** Number of times that a comprehension evaluates its condition and its step. Undefined for all other nodes. */
  readonly iterations: SizeRange | undefined;
}

/** Sizes of the entries of a list or map. `key` is the size of the indices or keys, and `value` is the size of the elements or values. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** Variable that a comprehension binds, with the sizes of its value that are known for a cost estimate. */
export interface LocalVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Variables that the comprehensions around the current node bind. `Variable` holds what an estimator knows about one of them. */
export class BoundVariables<Variable> {
  readonly #variables = new Map<string, Variable[]>();

  /** Binds a variable. It hides a variable with the same name that was bound earlier. */
  bind(name: string, variable: Variable): void {
    const shadowed = this.#variables.get(name);
    if (shadowed === undefined) this.#variables.set(name, [variable]);
    else shadowed.push(variable);
  }

  /** Removes the latest binding of the variable `name`. */
  unbind(name: string): void {
    this.#variables.get(name)!.pop();
  }

  /** Returns the variable with the given name, or undefined if no comprehension binds this name. */
  variable(name: string): Variable | undefined {
    return this.#variables.get(name)?.at(-1);
  }
}

const WITHOUT_ENTRIES: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'null',
  'string',
  'timestamp',
  'uint',
]);

/**
 * Returns the sizes of the keys and elements of a value that contains the entries of all operands. If a size is known for one operand only,
 * an operand that may have entries of another size makes it unknown. Source: cel-go common/cost/helper.go `mergeMeta` (v0.33.2).
 */
export function entrySizes(operands: readonly EstimatedOperand[]): Pick<SizeRange, 'key' | 'element'> {
  const sizes = operands.map(({ size = UNKNOWN_SIZE }) => size);
  const hasKey = sizes.some(({ key }) => key !== undefined);
  const hasElement = sizes.some(({ element }) => element !== undefined);
  let [key, element]: (SizeRange | undefined)[] = [];
  for (const [i, size] of sizes.entries()) {
    const mayHold = size.max > 0n;
    const isUnstated = mayHold && size.key === undefined && size.element === undefined && !WITHOUT_ENTRIES.has(operands[i]!.type.kind);
    const unknownElement = isUnstated || (size.key !== undefined && mayHold) ? UNKNOWN_SIZE : undefined;
    if (hasElement) element = unionOfKnown(element, size.element ?? unknownElement);
    if (hasKey) key = unionOfKnown(key, size.key ?? (isUnstated ? UNKNOWN_SIZE : undefined));
  }
  return { key, element };
}
