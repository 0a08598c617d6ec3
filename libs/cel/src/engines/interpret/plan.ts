import type { CheckedExpression } from '../../language/check/checked.ts';
import type { DeclaredFunction } from '../../language/check/declarations.ts';
import type { Environment } from '../../language/environment.ts';
import type { Overload } from '../../library/define.ts';
import { FOLDED_CONVERSIONS } from '../../library/all.ts';
import { EXPRESSION_WORK } from '../../work-done.ts';
import { CelError, constantValue, TypeValue } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { badKey } from '../../values/go-type.ts';
import type { Semantics } from '../../values/semantics.ts';
import { runtimeTypeName } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr, StructExpr } from '../../language/syntax/ast.ts';
import { TYPE_NAMES } from '../../values/types/type-names.ts';
import {
  AccumulatorAttribute,
  AttributeNode,
  ConditionalAttribute,
  LocalAttribute,
  PresenceNode,
  RelativeAttribute,
  VariableAttribute,
} from './attribute.ts';
import type { Attribute } from './attribute.ts';
import { CallNode, planSpecialCall, VariadicCallNode } from './call-nodes.ts';
import { ListNode, MapNode, MessageNode } from './constructor-nodes.ts';
import { implementationOf } from './dispatch.ts';
import { FoldAccumulator, FoldNode } from './fold-node.ts';
import { foldConversion, foldList, foldMap, planningFrame } from './folding.ts';
import { InterpretedProgram } from './interpreted-program.ts';
import { ConstantNode } from './node.ts';
import type { Frame, Node } from './node.ts';
import { ComputedQualifier, ConstantQualifier, LiteralFieldQualifier, PresenceQualifier } from './qualifier.ts';
import type { Qualifier } from './qualifier.ts';
import { ObservedChain, ObservedChoice, ObservedNode } from './observed.ts';

/**
 * Plans a program for the interpreter from a checked expression. The tree of nodes has the same structure as the tree of cel-go's planner
 * with constant folding. Folded parts cost nothing, so that costs are equal only if the same parts are folded. Planning fails if upstream
 * cannot create a program either, for example because of an invalid constant conversion or pattern. Source: cel-go interpreter/planner.go,
 * decorators.go (v0.29.2).
 */
export function planInterpreted(checked: CheckedExpression, environment: Environment, options: PlanOptions = {}): PlanResult {
  EXPRESSION_WORK.planned++;
  const planner = new Planner(checked, environment, options);
  const root = planner.plan(checked.root);
  if (root instanceof CelError) return { ok: false, error: root.message };
  return { ok: true, program: new InterpretedProgram(root, planner.slotCount, environment.semantics) };
}

/** Returns the constant to which planning folds a part of an expression. Returns undefined if the part cannot be folded. */
export function foldedConstant(checked: CheckedExpression, environment: Environment, part: Expr): CelValue | undefined {
  const node = new Planner(checked, environment, {}).plan(part);
  return node instanceof ConstantNode ? node.value : undefined;
}

/** Options of planning a program for the interpreter. */
export interface PlanOptions {
  /** True if planning computes constant parts. Default: true. It is false only in the tests that run upstream's own cost tests. */
  readonly folds?: boolean;
  /** True if the evaluations of each node are counted. Default: false. */
  readonly observed?: boolean;
}

/** Program that is always interpreted and never runs as generated code, or an error message. See {@link ProgramResult}. */
export type PlanResult = { readonly ok: true; readonly program: InterpretedProgram } | { readonly ok: false; readonly error: string };

/**
 * Meaning of a variable that a comprehension binds: an accumulator, or the slot (index in {@link Frame.slots}) of an iteration variable.
 */
type Local = { readonly kind: 'slot'; readonly slot: number } | { readonly kind: 'accumulator'; readonly accumulator: FoldAccumulator };

class Planner {
  slotCount = 0;
  readonly #checked: CheckedExpression;
  readonly #environment: Environment;
  readonly #folds: boolean;
  /** State of an evaluation in which planning evaluates constant parts. */
  readonly #frame: Frame;
  readonly #observed: boolean;
  readonly #locals = new Map<string, Local>();

  constructor(checked: CheckedExpression, environment: Environment, { folds = true, observed = false }: PlanOptions) {
    this.#checked = checked;
    this.#environment = environment;
    this.#folds = folds;
    this.#frame = planningFrame(environment.semantics);
    this.#observed = observed;
  }

  /** Plans an expression node. Returns an error if the whole expression cannot be planned. */
  plan(expr: Expr): Node | CelError {
    const node = this.#plan(expr);
    // ObservedNode would hide the steps of a chain (AttributeNode) from the node around the chain. So each chain reports its values itself.
    // Constants need no report.
    const opaque = this.#observed && !(node instanceof CelError || node instanceof ConstantNode || node instanceof AttributeNode);
    return opaque ? new ObservedNode(expr.id, node) : node;
  }

  #plan(expr: Expr): Node | CelError {
    switch (expr.kind) {
      case 'constant':
        return new ConstantNode(expr.id, constantValue(expr.constant));
      case 'ident':
        return this.#planReference(expr.id, expr.name);
      case 'select':
        return this.#planSelect(expr);
      case 'call':
        return this.#planCall(expr);
      case 'list':
        return this.#planList(expr);
      case 'map':
        return this.#planMap(expr);
      case 'comprehension':
        return this.#planComprehension(expr);
      case 'struct':
        return this.#planMessage(expr);
    }
  }

  /** Plans all expressions. Returns the first error if one of them fails. */
  #planAll(exprs: readonly Expr[]): Node[] | CelError {
    const nodes: Node[] = [];
    for (const expr of exprs) {
      const node = this.plan(expr);
      if (node instanceof CelError) return node;
      nodes.push(node);
    }
    return nodes;
  }

  /** Plans a name, or an expression such as `a.b.c` that the checker resolved to one qualified name. */
  #planReference(id: number, written: string): Node | CelError {
    const reference = this.#checked.references.get(id);
    if (reference?.constant !== undefined) return new ConstantNode(id, constantValue(reference.constant));
    const name = reference?.name ?? written;
    if (reference !== undefined && this.#checked.types.get(id)?.kind === 'type') return planTypeName(id, name, this.#environment.semantics);
    const local = name.startsWith('.') ? undefined : this.#locals.get(name);
    return this.#chain(id, local === undefined ? new VariableAttribute(name.replace(/^\./, '')) : attributeOf(local));
  }

  #planSelect(expr: SelectExpr): Node | CelError {
    if (this.#checked.references.has(expr.id)) return this.#planReference(expr.id, expr.field);
    const operand = this.plan(expr.operand);
    if (operand instanceof CelError) return operand;
    if (this.#isObjectLiteral(expr.operand))
      return this.#extend(operand, new LiteralFieldQualifier(expr.id, expr.field, expr.testOnly), expr.testOnly);
    const qualifier = expr.testOnly ? new PresenceQualifier(expr.id, expr.field) : new ConstantQualifier(expr.id, expr.field, 'required');
    return this.#extend(operand, qualifier, expr.testOnly);
  }

  /**
   * Returns true if the checker knows that a part of the expression is an object literal. Selections from it, except `.?field`, are planned
   * as reads of a literal's field.
   */
  #isObjectLiteral(part: Expr): boolean {
    const type = this.#checked.types.get(part.id);
    return type?.kind === 'object' && type.anyField === true;
  }

  #planCall(expr: CallExpr): Node | CelError {
    const args = this.#planAll(expr.target === undefined ? expr.args : [expr.target, ...expr.args]);
    if (args instanceof CelError) return args;
    const candidates = this.#checked.references.get(expr.id)?.overloads ?? [];
    const special = planSpecialCall({
      id: expr.id,
      name: expr.function,
      args,
      candidates,
      costs: this.#environment.costs,
      folds: this.#folds,
    });
    if (special === 'conditional') return this.#planConditional(expr.id, args);
    if (special === 'index' || special === 'optionalIndex')
      return this.#planIndex(expr.id, args, special === 'index' ? 'required' : 'optional');
    if (special !== undefined) return special;
    const declared = this.#environment.functions.get(expr.function);
    if (declared === undefined) return new CelError(`no such overload: ${expr.function}`, 'noSuchOverload');
    return this.#planPlainCall(expr.id, declared, candidates, args);
  }

  #planPlainCall(id: number, declared: DeclaredFunction, candidates: readonly Overload[], args: readonly Node[]): Node | CelError {
    const implementation = implementationOf(declared, candidates, args.length, id);
    const folds = this.#folds && FOLDED_CONVERSIONS.has(declared.name);
    const folded = folds ? foldConversion(id, implementation, args, this.#frame) : undefined;
    if (folded !== undefined) return folded;
    const variadic = implementation.variadic;
    return new (variadic ? VariadicCallNode : CallNode)(id, args, implementation, this.#environment.costs);
  }

  #planList(expr: ListExpr): Node | CelError {
    const nodes = this.#planAll(expr.elements);
    if (nodes instanceof CelError) return nodes;
    const optionals = new Set(expr.optionalIndices);
    const list = new ListNode(
      expr.id,
      nodes.map((node, index) => ({ node, optional: optionals.has(index) })),
    );
    return this.#folds ? foldList(list, this.#frame) : list;
  }

  #planMap(expr: MapExpr): Node | CelError {
    const entries: { key: Node; value: Node; optional: boolean }[] = [];
    for (const entry of expr.entries) {
      const key = this.plan(entry.key);
      if (key instanceof CelError) return key;
      const value = this.plan(entry.value);
      if (value instanceof CelError) return value;
      entries.push({ key, value, optional: entry.optional });
    }
    const map = new MapNode(expr.id, entries);
    return this.#folds ? foldMap(map, this.#frame) : map;
  }

  #planMessage(expr: StructExpr): Node | CelError {
    const message = this.#environment.messages(expr.typeName);
    if (message === undefined) return new CelError(`unknown type: ${expr.typeName}`);
    const values = this.#planAll(expr.fields.map(({ value }) => value));
    if (values instanceof CelError) return values;
    const fields = values.map((value, index) => ({
      name: expr.fields[index]?.name ?? '',
      value,
      optional: expr.fields[index]?.optional ?? false,
    }));
    return new MessageNode(expr.id, message, fields);
  }

  #planComprehension(expr: ComprehensionExpr): Node | CelError {
    const initial = this.plan(expr.accuInit);
    if (initial instanceof CelError) return initial;
    const range = this.plan(expr.iterRange);
    if (range instanceof CelError) return range;
    const accumulator = new FoldAccumulator(this.slotCount++, initial);
    const firstSlot = this.slotCount++;
    const secondSlot = expr.iterVar2 === undefined || expr.iterVar2 === '' ? undefined : this.slotCount++;
    const locals: [string, Local][] = [[expr.iterVar, { kind: 'slot', slot: firstSlot }]];
    if (secondSlot !== undefined) locals.push([expr.iterVar2 as string, { kind: 'slot', slot: secondSlot }]);
    const accumulatorLocal: [string, Local] = [expr.accuVar, { kind: 'accumulator', accumulator }];
    const loop = this.#withLocals([...locals, accumulatorLocal], () => this.#planAll([expr.loopCondition, expr.loopStep]));
    if (loop instanceof CelError) return loop;
    const result = this.#withLocals([accumulatorLocal], () => this.plan(expr.result));
    if (result instanceof CelError) return result;
    const [condition, step] = loop as [Node, Node];
    return new FoldNode(expr.id, { range, condition, step, result, firstSlot, secondSlot }, accumulator);
  }

  #chain(id: number, attribute: Attribute): AttributeNode {
    return new AttributeNode(id, this.#observed ? new ObservedChain(id, attribute) : attribute);
  }

  /**
   * Returns the chain of selections of a node, such as `a.b[c]`. If the node has none, returns a new chain that starts with the node's
   * value.
   */
  #chainOf(node: Node): Attribute {
    if (node instanceof AttributeNode) return node.attribute;
    const chain = new RelativeAttribute(node);
    return this.#observed ? new ObservedChain(undefined, chain) : chain;
  }

  /** Adds a selection to the chain of selections of a node, and returns a node of the extended chain. */
  #extend(operand: Node, qualifier: Qualifier, testOnly = false): Node {
    const { id } = qualifier;
    const attribute = this.#chainOf(operand);
    attribute.addQualifier(qualifier);
    return testOnly ? new PresenceNode(id, attribute) : new AttributeNode(id, attribute);
  }

  #planConditional(id: number, args: readonly Node[]): Node {
    const [condition, truthy, falsy] = args as [Node, Node, Node];
    const choice = new ConditionalAttribute(condition, this.#chainOf(truthy), this.#chainOf(falsy));
    return new AttributeNode(id, this.#observed ? new ObservedChoice(id, choice) : choice);
  }

  #planIndex(id: number, args: readonly Node[], presence: 'required' | 'optional'): Node | CelError {
    const [operand, key] = args as [Node, Node];
    if (!(key instanceof ConstantNode)) return this.#extend(operand, new ComputedQualifier(id, this.#chainOf(key), presence));
    const value: CelValue = key.value;
    return badKey(value, this.#environment.semantics) ?? this.#extend(operand, new ConstantQualifier(id, value, presence));
  }

  /** Runs `plan` with additional variables in scope. If two entries of `locals` have the same name, the last entry is used. */
  #withLocals<T>(locals: readonly (readonly [string, Local])[], plan: () => T): T {
    const outer = locals.map(([name]) => [name, this.#locals.get(name)] as const);
    for (const [name, local] of locals) this.#locals.set(name, local);
    const planned = plan();
    for (const [name, local] of outer.reverse()) {
      if (local === undefined) this.#locals.delete(name);
      else this.#locals.set(name, local);
    }
    return planned;
  }
}

const RUN_TIME_TYPES: ReadonlyMap<string, CelType> = new Map(
  TYPE_NAMES.filter(({ undefinedAtRunTime }) => undefinedAtRunTime !== true).map(({ name, type }) => [name, type]),
);

/**
 * Plans the name of a type. Every expression whose static type is `type` is treated as a type name, even a variable. Source: cel-go
 * interpreter/planner.go `planCheckedIdent` (v0.29.2).
 */
function planTypeName(id: number, name: string, semantics: Semantics): Node | CelError {
  const type = RUN_TIME_TYPES.get(name);
  return type === undefined
    ? new CelError(`reference to undefined type: ${name}`)
    : new ConstantNode(id, new TypeValue(type, runtimeTypeName(type, semantics)));
}

function attributeOf(local: Local): Attribute {
  return local.kind === 'slot' ? new LocalAttribute(local.slot) : new AccumulatorAttribute(local.accumulator);
}
