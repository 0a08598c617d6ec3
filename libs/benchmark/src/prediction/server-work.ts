import { OPERATOR } from '#cel';
import type { CheckedExpression, NodeReadings } from '#cel';
import { childrenOf, ruleFamily } from './rule-family.ts';
import type { RuleFamily } from './rule-family.ts';
import { trackerScans } from './tracker-scans.ts';

/** Kinds of steps, each with a pattern of overload ids. Calls for which a server takes the same time have the same kind. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(less|greater)(_equals)?_string$/, 'order of texts'],
  [/^(less|greater)(_equals)?_(duration|timestamp)$/, 'order of times'],
  [/^(less|greater|add|subtract|multiply|divide|modulo|negate)[a-z_]*_(int64|uint64|double|bool)/, 'operator'],
  [/^(starts|ends)_with_string$/, 'start or end of a text'],
  [/^string_(last_)?index_of_string/, 'index in a text'],
  [/^string_(lower|upper)_ascii$/, 'case of a text'],
  [/^string_(substring|char_at)_int/, 'part of a text'],
  [/^(size_string|string_size)$/, 'size of a text'],
  [/^(size_(list|map)|(list|map)_size)$/, 'size of a list or map'],
  [/^list_(int|uint|double|bool|duration|timestamp)_(min|max)_/, 'least or greatest of a list'],
  [/^list_(int|uint|double|duration)_sum_/, 'sum of a list'],
  [/^list_(int|uint|double|bool|duration|timestamp)_is_sorted_bool$/, 'order of a list'],
  [/^list_a_(last_)?index_of_int$/, 'index in a list'],
  [/^list_join/, 'join'],
  [/^string_split_string/, 'split'],
  [/^string_replace_string/, 'replace'],
  [/^string_trim$/, 'trim'],
  [/^ip_(family|is_)/, 'question to an IP'],
  [/^cidr_(ip|prefix_length|masked)$/, 'question to a CIDR'],
  [/^cidr_contains_/, 'containment in a CIDR'],
  [/^url_get_(query)$/, 'query of a URL'],
  [/^url_get_/, 'part of a URL'],
  [/^quantity_(is|compare|get|sign)/, 'question to a quantity'],
  [/^quantity_(add|sub)/, 'sum of quantities'],
  [/^semver_/, 'question to a version'],
  [/^(duration|timestamp)_to_[a-z]+/, 'part of a time'],
  [/^format\.|^format-named$/, 'named format'],
  [/^list_sets_(contains|intersects)_list$/, 'comparison of sets'],
  [/^optional_|^select_optional/, 'optional'],
  [/^(int64|uint64|double)_to_(int64|uint64|double)$/, 'conversion of a number'],
];

/**
 * Returns the kind of a CEL call for the prediction of its time, from the id of its overload. Calls for which a server takes the same time
 * have the same kind. If no pattern in `KINDS` matches the id, the id itself is the kind.
 */
function stepKind(overload: string): string {
  return KINDS.find(([pattern]) => pattern.test(overload))?.[1] ?? overload;
}

type Expr = CheckedExpression['root'];
type Call = Extract<Expr, { kind: 'call' }>;
type CelType = NonNullable<ReturnType<CheckedExpression['types']['get']>>;

/** The steps that a server performs in one evaluation of a rule, as plain data. */
export interface ServerWork {
  readonly family: RuleFamily;
  /**
   * Number of steps by kind: `evaluation`, `field`, `property`, `iteration`, `scan`, … Each call counts as one step. If a call has more
   * than one cost unit, the further units are counted as a separate kind, such as `units of join`.
   */
  readonly amounts: Readonly<Record<string, number>>;
}

/**
 * Derives the steps that an API server performs in one evaluation of a rule. The predicted time of the server is computed from these steps.
 * `readings` contains the cost and the number of evaluations of each syntax node. It comes from an evaluation on `measured`, the CEL engine
 * that counts.
 */
export function serverWork(checked: CheckedExpression, readings: NodeReadings): ServerWork {
  const tally = new WorkTally(checked, readings);
  tally.visit(checked.root);
  tally.add('evaluation', 1);
  for (const properties of tally.values.values()) tally.add('property', properties);
  tally.add('scan', trackerScans(checked, readings));
  return { family: ruleFamily(checked), amounts: Object.fromEntries(tally.amounts) };
}

const LOGIC: ReadonlySet<string> = new Set([OPERATOR.and, OPERATOR.or, OPERATOR.not, OPERATOR.conditional, OPERATOR.notStrictlyFalse]);
const EQUALITY: ReadonlySet<string> = new Set([OPERATOR.equals, OPERATOR.notEquals]);
const STEPS: ReadonlySet<string> = new Set([OPERATOR.index, OPERATOR.optionalIndex, OPERATOR.optionalSelect]);

class WorkTally {
  readonly amounts = new Map<string, number>();
  /** Number of properties of each value (`self`, `oldSelf`) that a server passes to an evaluation. */
  readonly values = new Map<string, number>([['self', 0]]);
  readonly #checked: CheckedExpression;
  readonly #readings: NodeReadings;
  readonly #counted = new Set<number>();

  constructor(checked: CheckedExpression, readings: NodeReadings) {
    this.#checked = checked;
    this.#readings = readings;
  }

  add(kind: string, amount: number): void {
    if (amount > 0) this.amounts.set(kind, (this.amounts.get(kind) ?? 0) + amount);
  }

  /** Counts the steps of a node and of all nodes below it. A node is counted only once, even if several nodes refer to it. */
  visit(node: Expr): void {
    if (this.#counted.has(node.id)) return;
    this.#counted.add(node.id);
    this.#count(node, this.#readings.evaluations.get(node.id) ?? 0);
    for (const [child] of childrenOf(node)) this.visit(child);
  }

  #count(node: Expr, times: number): void {
    switch (node.kind) {
      case 'constant':
        return;
      case 'ident':
        if (node.name === 'self' || node.name === 'oldSelf') this.values.set(node.name, this.#properties(node));
        return this.add('name', times);
      case 'select':
        return node.testOnly ? this.#test(node, times) : this.#step('field', node, node.operand, times);
      case 'list':
        return this.add('list', times);
      case 'map':
      case 'struct':
        return this.add('map', times);
      case 'call':
        return this.#call(node, times);
      case 'comprehension':
        return this.#loop(node, times);
    }
  }

  /**
   * Counts `times` selections of a field or an element from the value `operand`, and the properties that a server copies for the
   * selections.
   */
  #step(kind: string, node: Expr, operand: Expr, times: number): void {
    this.add(kind, times);
    this.add('property', times * (2 * this.#properties(operand) + this.#properties(node)));
  }

  /**
   * Counts a test for the existence of a field. If a test finds the field, a server copies the properties once more. The estimate assumes
   * that half of the tests find the field.
   */
  #test({ operand, field }: Extract<Expr, { kind: 'select' }>, times: number): void {
    const type = this.#checked.types.get(operand.id);
    const found = type?.kind === 'object' ? propertiesOf(type.fields?.get(field)) : 0;
    this.add('test', times);
    this.add('property', times * (1.5 * propertiesOf(type) + found / 2));
  }

  #loop(node: Extract<Expr, { kind: 'comprehension' }>, times: number): void {
    const { evaluations, elements } = this.#readings;
    const range = this.#checked.types.get(node.iterRange.id);
    const iterations = Math.max(evaluations.get(node.loopStep.id) ?? 0, evaluations.get(node.loopCondition.id) ?? 0);
    // A server converts all elements of a list or map to CEL values before the first iteration.
    const wrapped = elements.get(node.id) ?? 0;
    this.add('loop', times);
    this.add('iteration', iterations);
    this.add(range?.kind === 'map' ? 'key' : 'element', wrapped);
    this.add('property', wrapped * (range?.kind === 'list' ? propertiesOf(range.element) : 0));
  }

  #call(node: Call, times: number): void {
    const { function: name, args, target } = node;
    const [first = node] = args;
    if (STEPS.has(name)) return this.#step(name === OPERATOR.optionalSelect ? 'field' : 'index', node, first, times);
    if (LOGIC.has(name)) return this.add('logic', times);
    const units = (this.#readings.costs.get(node.id) ?? 0) / patternUnits(node);
    if (EQUALITY.has(name)) return this.#charged(`equality of ${this.#valueKind(first)}`, times, units);
    const kind = stepKind(this.#checked.references.get(node.id)?.overloads[0]?.id ?? name);
    if (kind === 'operator') return this.add(kind, times);
    // `indexOf` and `lastIndexOf` in a list of strings cost one unit, however long the list is. So their time has a kind of its own.
    if (kind === 'index in a list' && target && this.#isOfTexts(target)) return this.#charged('index in a list of texts', times, units);
    return this.#charged(name === OPERATOR.in ? `${kind} of ${this.#valueKind(first)}` : kind, times, units);
  }

  #charged(kind: string, times: number, units: number): void {
    this.add(kind, times);
    this.add(`units of ${kind}`, units - times);
  }

  /** Returns the kind of a node's value. The work to compare two values depends on this kind. */
  #valueKind(node: Expr): 'scalars' | 'lists' | 'maps' | 'others' {
    const type = this.#checked.types.get(node.id);
    if (type?.kind === 'list') return isScalar(type.element) ? 'lists' : 'others';
    if (type?.kind === 'map') return isScalar(type.value) ? 'maps' : 'others';
    return isScalar(type) ? 'scalars' : 'others';
  }

  #isOfTexts(node: Expr): boolean {
    const type = this.#checked.types.get(node.id);
    return type?.kind === 'list' && type.element.kind === 'string';
  }

  #properties(node: Expr): number {
    return propertiesOf(this.#checked.types.get(node.id));
  }
}

const SCALARS: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'string',
  'uint',
  'null',
  'timestamp',
  'duration',
  'object',
  'opaque',
  'type',
]);
const isScalar = (type: CelType | undefined): boolean =>
  SCALARS.has(type?.kind ?? 'dyn') && !(type?.kind === 'object' && type.fields !== undefined);

/**
 * Returns the number of properties of an object type. A server copies the schemas of all properties each time it wraps an object, and twice
 * when it reads a field. Source: apiextensions-apiserver pkg/apiserver/schema/cel/model/adaptor.go `Properties` (1.37).
 */
function propertiesOf(type: CelType | undefined): number {
  if (type?.kind === 'optional') return propertiesOf(type.value);
  return type?.kind === 'object' ? (type.fields?.size ?? 0) : 0;
}

/**
 * Returns the factor by which a constant pattern multiplies the cost units of matching a text. Returns 1 if the call has no such pattern.
 * Callers divide the units by this factor, because the time depends only on the text.
 */
function patternUnits({ function: name, args }: Call): number {
  const pattern = args.at(-1);
  if (name !== 'matches' || pattern?.kind !== 'constant' || pattern.constant.type !== 'string') return 1;
  return Math.max(1, Math.ceil(pattern.constant.value.length / 4));
}
