import { ACCUMULATOR, isAccumulator, LEGACY_ACCUMULATOR } from '../../library/names.ts';
import type { Constant } from '../../values/value.ts';
import type { CallExpr, Expr, MapEntry, StructField } from './ast.ts';
import type { Issues } from './issues.ts';
import type { AskableSyntax, ReusedNode } from './syntax.ts';

/**
 * Factory that creates nodes and numbers them in the same order as upstream's parser, because costs and error texts depend on the numbers.
 * Source: cel-go parser/helper.go (v0.29.2).
 */
export class NodeFactory {
  /** Offset of each node in code points, by node id. Nodes without a position are missing. */
  readonly offsets = new Map<number, number>();
  /** The original call of each expanded macro, by the id of the comprehension or other node that replaced it. */
  readonly macroCalls = new Map<number, Expr>();
  readonly #issues: Issues;
  #nextId = 1;

  constructor(issues: Issues) {
    this.#issues = issues;
  }

  /** Number of ids that are assigned so far. An id that `release` makes available again does not count. */
  get count(): number {
    return this.#nextId - 1;
  }

  /** Returns a new id for a node at an offset in code points. */
  idAt(offset: number | undefined): number {
    const id = this.#nextId++;
    if (offset !== undefined) this.offsets.set(id, offset);
    return id;
  }

  /**
   * Returns a new id for a node whose position is set later by `place`. For example, a map entry gets its id before its key, but its
   * position is the colon after the key.
   */
  reserve(): number {
    return this.#nextId++;
  }

  place(id: number, offset: number): void {
    this.offsets.set(id, offset);
  }

  /** Releases the id of a call that a macro replaced. If this is the latest id, the next node gets the same id. */
  release(id: number): void {
    this.offsets.delete(id);
    if (id === this.#nextId - 1) this.#nextId--;
  }

  offsetOf(id: number): number | undefined {
    return this.offsets.get(id);
  }

  /** Reports an error and returns a placeholder node for the part with the error. */
  failure(offset: number | undefined, message: string): Expr {
    const id = this.idAt(offset);
    this.#issues.report(offset, message);
    return { kind: 'constant', id, constant: { type: 'null' } };
  }

  constant(offset: number, constant: Constant): Expr {
    return { kind: 'constant', id: this.idAt(offset), constant };
  }

  call(id: number, name: string, args: readonly Expr[], target?: Expr): CallExpr {
    return { kind: 'call', id, function: name, target, args };
  }
}

/** Factory for the nodes of one macro expansion. All new nodes have the position of the macro call. */
export class ExpansionFactory {
  readonly #nodes: NodeFactory;
  readonly #offset: number | undefined;
  readonly #syntax: AskableSyntax;

  constructor(nodes: NodeFactory, callId: number, syntax: AskableSyntax) {
    this.#nodes = nodes;
    this.#syntax = syntax;
    this.#offset = nodes.offsetOf(callId);
  }

  #id(): number {
    return this.#nodes.idAt(this.#offset);
  }

  /** Name of the accumulator variable in the comprehensions of the selected Kubernetes minor version. */
  get accumulatorName(): string {
    return this.#syntax.spellsAccumulator === true ? LEGACY_ACCUMULATOR : ACCUMULATOR;
  }

  /** Returns true if `name` must not be used as an iteration variable, because it would hide the accumulator. */
  isReserved(name: string): boolean {
    return isAccumulator(name) && this.#syntax.spellsAccumulator !== true;
  }

  /**
   * Returns a function that must be called for each position in which the node is needed. For newer Kubernetes minor versions, the function
   * creates a new node each time. For older minor versions, it always returns the same node.
   */
  eachTime(node: ReusedNode, make: () => Expr): () => Expr {
    if (this.#syntax.reuses?.has(node) !== true) return make;
    const made = make();
    return () => made;
  }

  /**
   * Returns the node to use in a second position of the expansion. It is a copy for newer Kubernetes minor versions, and `original` itself
   * for older ones.
   */
  again(node: ReusedNode, original: Expr): Expr {
    return this.#syntax.reuses?.has(node) === true ? original : this.copy(original);
  }

  constant(constant: Constant): Expr {
    return { kind: 'constant', id: this.#id(), constant };
  }

  ident(name: string): Expr {
    return { kind: 'ident', id: this.#id(), name };
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', id: this.#id(), elements, optionalIndices: [] };
  }

  map(): Expr {
    return { kind: 'map', id: this.#id(), entries: [] };
  }

  call(name: string, ...args: Expr[]): Expr {
    return this.#nodes.call(this.#id(), name, args);
  }

  memberCall(name: string, target: Expr, ...args: Expr[]): Expr {
    return this.#nodes.call(this.#id(), name, args, target);
  }

  presenceTest(operand: Expr, field: string): Expr {
    return { kind: 'select', id: this.#id(), operand, field, testOnly: true };
  }

  comprehension(parts: {
    range: Expr;
    variable: string;
    variable2?: string;
    accumulator: string;
    initial: Expr;
    condition: Expr;
    step: Expr;
    result: Expr;
  }): Expr {
    return {
      kind: 'comprehension',
      id: this.#id(),
      iterRange: parts.range,
      iterVar: parts.variable,
      iterVar2: parts.variable2,
      accuVar: parts.accumulator,
      accuInit: parts.initial,
      loopCondition: parts.condition,
      loopStep: parts.step,
      result: parts.result,
    };
  }

  /**
   * Returns a copy of a subtree with new ids. Copied nodes keep their positions, except map entries and fields, which have the position of
   * the macro call.
   */
  copy(node: Expr): Expr {
    const id = this.#nodes.idAt(this.#nodes.offsetOf(node.id));
    switch (node.kind) {
      case 'constant':
      case 'ident':
        return { ...node, id };
      case 'select':
        return { ...node, id, operand: this.copy(node.operand) };
      case 'call': {
        const args = node.args.map((arg) => this.copy(arg));
        return { ...node, id, args, target: node.target === undefined ? undefined : this.copy(node.target) };
      }
      case 'list':
        return { ...node, id, elements: node.elements.map((element) => this.copy(element)) };
      case 'map':
        return { ...node, id, entries: node.entries.map((entry) => this.#copyEntry(entry)) };
      case 'struct':
        return { ...node, id, fields: node.fields.map((field) => this.#copyField(field)) };
      case 'comprehension': {
        const iterRange = this.copy(node.iterRange);
        const accuInit = this.copy(node.accuInit);
        const loopCondition = this.copy(node.loopCondition);
        const loopStep = this.copy(node.loopStep);
        return { ...node, id, iterRange, accuInit, loopCondition, loopStep, result: this.copy(node.result) };
      }
    }
  }

  #copyEntry(entry: MapEntry): MapEntry {
    return { ...entry, id: this.#id(), key: this.copy(entry.key), value: this.copy(entry.value) };
  }

  #copyField(field: StructField): StructField {
    return { ...field, id: this.#id(), value: this.copy(field.value) };
  }
}

/**
 * Combines the terms of a chain `a && b && c …` or `a || b || c …` into a balanced tree, as upstream does. Source: cel-go parser/helper.go
 * `logicManager` (v0.29.2).
 */
export function balancedTree(nodes: NodeFactory, name: string, terms: readonly Expr[], operatorIds: readonly number[]): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = (low + high + 1) >> 1;
    const left = middle === low ? terms[middle]! : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : build(middle + 1, high);
    return nodes.call(operatorIds[middle]!, name, [left, right]);
  };
  return operatorIds.length === 0 ? terms[0]! : build(0, operatorIds.length - 1);
}
