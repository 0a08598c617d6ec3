import { OPERATOR } from '#cel';
import type { CheckedExpression, NodeReadings } from '#cel';

type Expr = CheckedExpression['root'];
type Call = Extract<Expr, { kind: 'call' }>;
type Comprehension = Extract<Expr, { kind: 'comprehension' }>;

/**
 * Estimates how many stack entries the cost tracker of cel-go inspects in one evaluation, beyond a constant number per node. The tracker
 * keeps values on a stack, and each iteration of a loop leaves entries on it. For names and logical operators, the tracker looks for
 * entries that are not on the stack, and so searches the whole stack. The time of a loop therefore grows with the square of its iterations.
 * The estimate uses the mean height of the stack for each node. Source: cel-go interpreter/runtimecost.go `Observe`, `drop`, and planner.go
 * (v0.29.2).
 */
export function trackerScans(checked: CheckedExpression, readings: NodeReadings): number {
  const stack = new TrackerStack(readings);
  stack.visit(checked.root, 0);
  return stack.scanned;
}

const LOGIC: ReadonlySet<string> = new Set([OPERATOR.and, OPERATOR.or]);
const CHAINED: ReadonlySet<string> = new Set([OPERATOR.index, OPERATOR.optionalIndex, OPERATOR.optionalSelect]);

class TrackerStack {
  scanned = 0;
  readonly #readings: NodeReadings;

  constructor(readings: NodeReadings) {
    this.#readings = readings;
  }

  /**
   * Counts the stack entries that are inspected for a node and all nodes below it. Returns the number of entries that the node leaves on
   * the stack. The last of these entries is the value of the node.
   */
  visit(node: Expr, height: number): number {
    switch (node.kind) {
      case 'constant':
        return 1;
      case 'ident':
      case 'select':
        return this.#chain(node, height, 'whole');
      case 'list':
        return this.#operands(node.elements, height);
      case 'map':
        return this.#operands([...node.entries.map(({ key }) => key), ...node.entries.map(({ value }) => value)], height);
      case 'struct':
        return this.#operands(
          node.fields.map(({ value }) => value),
          height,
        );
      case 'call':
        return this.#call(node, height);
      case 'comprehension':
        return this.#loop(node, height);
    }
  }

  #times(node: Expr): number {
    return this.#readings.evaluations.get(node.id) ?? 0;
  }

  #scan(times: number, height: number): void {
    this.scanned += times * height;
  }

  /**
   * Counts the stack entries that the tracker inspects for operands, from left to right. The call or constructor that uses the operands
   * removes the first operand from the stack, together with all entries above it. Returns the number of entries that the first operand
   * leaves on the stack, or 1 if there are no operands.
   */
  #operands(operands: readonly Expr[], height: number): number {
    let at = height;
    let first = 1;
    for (const [i, operand] of operands.entries()) {
      const left = this.visit(operand, at);
      if (i === 0) first = left;
      at += left;
    }
    return first;
  }

  /**
   * Counts the stack entries that cel-go's cost tracker inspects for a value and for the selections of fields or elements that follow it.
   * Returns the number of entries that they leave on the stack. For a name without selections, the tracker searches the whole stack in
   * vain.
   *
   * @param place `operand` if the value is the operand of a selection; a name then leaves no entry of its own
   */
  #chain(node: Expr, height: number, place: 'whole' | 'operand'): number {
    const [operand, key] = stepOf(node);
    if (operand === undefined) {
      if (node.kind !== 'ident') return this.visit(node, height);
      if (place === 'operand') return 0;
      this.#scan(this.#times(node), height);
      return 1;
    }
    const begun = this.#chain(operand, height, 'operand');
    const computed = key === undefined || key.kind === 'constant' ? 0 : this.#chain(key, height + begun, 'operand');
    return begun + computed + 1;
  }

  #call(node: Call, height: number): number {
    const { function: name, target, args } = node;
    if (CHAINED.has(name)) return this.#chain(node, height, 'whole');
    if (name === OPERATOR.conditional) return this.#choice(node, height);
    const left = this.#operands(target === undefined ? args : [target, ...args], height);
    // The tracker finds the first term of `&&` or `||`, and removes it with all entries above it. So its searches for the other terms
    // inspect the whole stack and find nothing.
    if (LOGIC.has(name)) this.#scan(this.#times(node) * (args.length - 1), height + left);
    // The tracker does not see a membership test in a constant list, so the operand of the test stays on the stack.
    const [, list] = args;
    return name === OPERATOR.in && list !== undefined && isConstant(list) ? left + 1 : left;
  }

  /**
   * Counts the stack entries that the tracker inspects for a conditional. The tracker searches the whole stack for the branch that was not
   * taken, and for a branch that is only a name. Neither search finds anything.
   */
  #choice(node: Call, height: number): number {
    const [condition, ...branches] = node.args as [Expr, ...Expr[]];
    const left = this.visit(condition, height);
    let names = 0;
    for (const branch of branches) {
      this.#chain(branch, height + left, 'operand');
      if (branch.kind === 'ident') names += this.#times(branch);
    }
    this.#scan(this.#times(node) + names, height + left);
    return left;
  }

  #loop(node: Comprehension, height: number): number {
    const { iterRange, accuInit, loopCondition, loopStep, result } = node;
    const range = this.visit(iterRange, height);
    const times = this.#times(node);
    if (times === 0) return range;
    const iterations = Math.max(this.#times(loopStep), this.#times(loopCondition)) / times;
    const silent = new TrackerStack({ costs: new Map(), evaluations: new Map(), elements: new Map() });
    const perIteration = silent.visit(loopCondition, 0) + silent.visit(loopStep, 0);
    const base = height + range + this.visit(accuInit, height + range);
    const mean = base + (perIteration * Math.max(0, iterations - 1)) / 2;
    const condition = this.visit(loopCondition, mean);
    this.visit(loopStep, mean + condition);
    const top = base + perIteration * iterations;
    this.visit(result, top);
    // At the end of the loop, the tracker inspects the entries from the top of the stack down to the entry of the range.
    this.#scan(times, top - height);
    return range;
  }
}

/** Returns the operand of a selection, and the key if the selection is an index. Returns an empty array for any other node. */
function stepOf(node: Expr): readonly [operand?: Expr | undefined, key?: Expr | undefined] {
  if (node.kind === 'select') return [node.operand];
  if (node.kind === 'call' && CHAINED.has(node.function)) return [node.args[0], node.args[1]];
  return [];
}

const isConstant = (node: Expr): boolean => node.kind === 'constant' || (node.kind === 'list' && node.elements.every(isConstant));
