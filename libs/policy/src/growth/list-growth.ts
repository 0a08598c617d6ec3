import { PER_CALL_LIMIT, OBJECT_BUDGET, MAX_BODY_BYTES } from '#kube';
import type { CancellationToken, JsonObject, JsonValue } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { PolicyHook } from '../validate/policy-set.ts';
import type { World } from '../world.ts';
import { CelError } from '#cel';
import { admit } from '../validate/admit.ts';
import { MATCH_CONDITIONS_BUDGET } from '../validate/evaluate-policy.ts';
import type { ProgramRun } from '../expressions/evaluate-list.ts';
import { isJsonObject, utf8Length, writeJson } from '#go';

/** List in an object, with a function that returns the object with a longer list. */
interface ObjectList {
  /** Path of the list: `spec.containers[0].ports` */
  readonly path: string;
  readonly length: number;
  /**
   * Maximum number of elements that the list can have in a request of the maximum size. The calculation uses the sizes of the elements as
   * JSON, in bytes.
   */
  readonly largest: number;
  /**
   * Returns the object with `length` elements in the list. The elements of the list are repeated in turn. All unchanged parts of the object
   * are shared with the original.
   */
  grownTo(length: number): JsonObject;
}

/** Maximum number of lists that are examined. Lists nearest to the root come first. */
const MAX_LISTS = 40;

/** Returns the non-empty lists of an object, at most `MAX_LISTS`. */
export function listsOf(object: JsonObject): readonly ObjectList[] {
  const room = MAX_BODY_BYTES - sizeOf(object);
  const lists: ObjectList[] = [];
  let level: readonly Place[] = [{ steps: [], value: object }];
  while (level.length > 0 && lists.length < MAX_LISTS) {
    for (const { steps, value } of level)
      if (Array.isArray(value) && value.length > 0 && lists.length < MAX_LISTS) lists.push(listAt(object, steps, value, room));
    level = level.flatMap(inside);
  }
  return lists;
}

/** Value in an object, with the path from the object's root to the value. */
interface Place {
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
}

/** Maximum number of elements of a list that are searched for nested lists. */
const MAX_ELEMENTS = 3;

function inside({ steps, value }: Place): Place[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS).map((element, i) => ({ steps: [...steps, i], value: element }));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, child]) => ({ steps: [...steps, key], value: child }));
}

function listAt(object: JsonObject, steps: readonly (string | number)[], list: readonly JsonValue[], room: number): ObjectList {
  const elementBytes = sizeOf([...list]) / list.length;
  return {
    path: steps.reduce<string>(
      (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
      '',
    ),
    length: list.length,
    largest: list.length + Math.max(0, Math.floor(room / elementBytes)),
    grownTo: (length) => replaced(object, steps, repeated(list, length)) as JsonObject,
  };
}

const sizeOf = (value: JsonValue): number => utf8Length(writeJson(value));

function repeated(list: readonly JsonValue[], length: number): JsonValue[] {
  const grown: JsonValue[] = [];
  for (let i = 0; i < length; i++) grown.push(list[i % list.length] ?? null);
  return grown;
}

/** Returns a copy of `value` in which the value at a path is replaced by `by`. Parts outside the path are shared. */
function replaced(value: JsonValue, [step, ...rest]: readonly (string | number)[], by: JsonValue): JsonValue {
  if (step === undefined) return by;
  if (Array.isArray(value)) return value.map((element, i) => (i === step ? replaced(element, rest, by) : element));
  const object = value as JsonObject;
  return Object.assign(Object.create(null) as JsonObject, object, { [step]: replaced(object[step] ?? null, rest, by) });
}

/** Identity of an expression in a policy: its kind (such as `validation`), its index in the list of this kind, and its name. */
type PolicyExpressionPlace = Pick<ProgramRun, 'part' | 'index' | 'name'>;

/** Cost of one expression when its policy is evaluated for a request. */
interface ProbedExpression extends PolicyExpressionPlace {
  /** Cost of the expression in its most expensive evaluation, in cost units. */
  readonly cost: number;
  /**
   * Total cost of all expressions that share the budget of this expression, in the most expensive evaluation of the policy, in cost units.
   */
  readonly sharedCost: number;
  /** Cost budget that the expression shares with other expressions, in cost units. */
  readonly budget: number;
  /** True if an evaluation of the expression exceeded the cost limit of one evaluation and was stopped. */
  readonly isStopped: boolean;
}

/** Costs of a policy and of each of its expressions when the policy is evaluated for one request. */
interface PolicyProbe {
  readonly expressions: ReadonlyMap<string, ProbedExpression>;
  /** Total cost of all evaluations of expressions, in cost units. */
  readonly cost: number;
}

/**
 * Returns the name and size of the budget that an evaluation uses. Match conditions share one budget, validations and their messages share
 * another, and audit annotations share a third. A variable uses the budget of the part that uses the variable first.
 */
function budgetOf({ part, for: by }: ProgramRun): { readonly name: string; readonly budget: number } {
  const list = by ?? part;
  if (list === 'matchCondition') return { name: list, budget: MATCH_CONDITIONS_BUDGET };
  return { name: list === 'auditAnnotation' ? list : 'validation', budget: OBJECT_BUDGET };
}

/** Returns the text that identifies an expression in a policy. */
const expressionKey = ({ part, index, name }: PolicyExpressionPlace): string => `${part} ${index} ${name ?? ''}`;

/** Evaluates one policy for a request and returns the costs of its expressions. */
export function probePolicy(hook: PolicyHook, request: AdmissionRequest, world: World, token?: CancellationToken): PolicyProbe {
  const { policies } = admit({ minor: world.minor, hooks: [hook] }, request, world, { token });
  const evaluations = policies.flatMap(({ bindings }) => bindings.flatMap(({ runs }) => runs.map((run) => run.evaluations)));
  const expressions = new Map<string, ProbedExpression>();
  for (const runs of evaluations) {
    const shared = new Map<string, number>();
    for (const run of runs) shared.set(budgetOf(run).name, (shared.get(budgetOf(run).name) ?? 0) + run.cost);
    for (const run of runs) {
      const { part, index, name, cost, value } = run;
      const key = expressionKey(run);
      const known = expressions.get(key);
      const budget = budgetOf(run);
      expressions.set(key, {
        part,
        index,
        name,
        cost: Math.max(cost, known?.cost ?? 0),
        sharedCost: Math.max(shared.get(budget.name) ?? 0, known?.sharedCost ?? 0),
        budget: budget.budget,
        isStopped: known?.isStopped === true || (value instanceof CelError && value.code === 'costLimitExceeded'),
      });
    }
  }
  return { expressions, cost: evaluations.flat().reduce((sum, { cost }) => sum + cost, 0) };
}

/** The length to which a list of an object may grow before an expression exceeds a cost limit. */
export interface ListGrowth extends PolicyExpressionPlace {
  /** Path of the list: `spec.containers` */
  readonly list: string;
  /** Current number of elements of the list. */
  readonly length: number;
  /** Cost of the expression with the current list, in cost units. */
  readonly cost: number;
  /**
   * Greatest length of the list at which the expression stays within its limits. Undefined if the expression stays within its limits even
   * in the largest possible request.
   */
  readonly mayGrowTo: number | undefined;
  /** Maximum number of elements that the list can have before the whole request exceeds the maximum size of a request. */
  readonly largest: number;
  /**
   * Kind of limit that the expression exceeds if the list has one element more than `mayGrowTo`. `limit`: the limit of one evaluation.
   * `budget`: a budget that several expressions share. Undefined if `mayGrowTo` is undefined.
   */
  readonly endsBy: 'limit' | 'budget' | undefined;
  /**
   * True if the policy was evaluated with `mayGrowTo` elements and with one more element. If the search stopped early, this is false, and
   * greater lengths may also be within the limits.
   */
  readonly isChecked: boolean;
}

/** Maximum effort of the search for one policy, as the sum of cost units and copied elements. */
const MAX_EFFORT = 60_000_000;
/** Maximum number of evaluations in the search for one expression and one list. */
const MAX_PROBES = 40;

/**
 * Finds the length to which each list of a request's object may grow before an expression of a policy exceeds a limit. Each expression is
 * evaluated with the original list and with two longer lists, and the length is extrapolated from the three costs. Further evaluations
 * correct the length until one more element exceeds the limit. Lists are lengthened with copies of their own elements. The work is limited
 * by `MAX_EFFORT` and `MAX_PROBES`. Throws `Cancelled` if the token requests cancellation.
 */
export function growLists(hook: PolicyHook, request: AdmissionRequest, world: World, token?: CancellationToken): readonly ListGrowth[] {
  const { object } = request;
  if (object === undefined) return [];
  const effort = { left: MAX_EFFORT };
  return listsOf(object).flatMap((list) => {
    if (effort.left <= 0) return [];
    const probes = new Map<number, PolicyProbe>();
    const probe: Probe = (length) => {
      const known = probes.get(length);
      if (known !== undefined) return known;
      const made = probePolicy(hook, { ...request, object: length === list.length ? object : list.grownTo(length) }, world, token);
      effort.left -= made.cost + length;
      probes.set(length, made);
      return made;
    };
    return growthOf(list, probe, () => effort.left > 0);
  });
}

/** Function that evaluates the policy with a list of the given length and returns the costs. */
type Probe = (length: number) => PolicyProbe;

function growthOf(list: ObjectList, probe: Probe, mayGoOn: () => boolean): ListGrowth[] {
  const { length } = list;
  const step = Math.max(4, length);
  const lengths = [length, length + step, length + 2 * step].map((wanted) => Math.min(wanted, list.largest));
  const [now, more, most] = lengths.map(probe);
  if (now === undefined || more === undefined || most === undefined) return [];
  return [...now.expressions].flatMap(([key, expression]) => {
    const measured = [expression, more.expressions.get(key), most.expressions.get(key)];
    const costs = measured.map((one) => one?.cost ?? 0);
    const shared = measured.map((one) => one?.sharedCost ?? 0);
    if (expression.isStopped || (costs[2] ?? 0) <= expression.cost) return [];
    const steps = Math.min(extrapolated(costs, PER_CALL_LIMIT), extrapolated(shared, expression.budget));
    const guess = Math.min(list.largest, Math.floor(length + steps * step));
    return [new LengthSearch(list, expression, probe, mayGoOn).from(guess)];
  });
}

/**
 * Returns the number of steps after which a parabola through three costs reaches a limit. The costs belong to a length, and to the lengths
 * that are one and two steps greater. If the parabola does not bend upwards, a straight line is used instead.
 */
function extrapolated([first = 0, second = 0, third = 0]: readonly number[], limit: number): number {
  const bend = third - 2 * second + first;
  const missing = limit - first;
  if (bend <= 0) return missing / ((third - first) / 2);
  const slope = second - first - bend / 2;
  return (-slope + Math.sqrt(slope * slope + 2 * bend * missing)) / bend;
}

/** Search for the greatest length of a list at which one expression stays within its limits. */
class LengthSearch {
  readonly #list: ObjectList;
  readonly #expression: ProbedExpression;
  readonly #key: string;
  readonly #probe: Probe;
  readonly #mayGoOn: () => boolean;

  constructor(list: ObjectList, expression: ProbedExpression, probe: Probe, mayGoOn: () => boolean) {
    this.#list = list;
    this.#expression = expression;
    this.#key = expressionKey(expression);
    this.#probe = probe;
    this.#mayGoOn = mayGoOn;
  }

  /**
   * Performs the search, starting at `guess`, an estimated length. It narrows the range between a length within the limits and a length
   * beyond them.
   */
  from(guess: number): ListGrowth {
    const { length, largest } = this.#list;
    let does = length;
    let doesNot = largest + 1;
    let next = Math.max(length, guess);
    let reach = 1;
    for (let probes = 0; doesNot - does > 1; probes++) {
      if (probes >= MAX_PROBES || !this.#mayGoOn()) return this.#growth(does, undefined, false);
      if (this.#ends(next)) does = Math.max(does, next);
      else doesNot = Math.min(doesNot, next);
      // After a good guess, small steps find both sides. After a bad guess, the steps grow.
      const near = does === next ? does + reach : doesNot - reach;
      next = Math.min(doesNot - 1, Math.max(does + 1, near > does && near < doesNot ? near : Math.floor((does + doesNot) / 2)));
      reach *= 2;
    }
    if (doesNot > largest) return this.#growth(undefined, undefined, true);
    const isLimit = this.#probe(doesNot).expressions.get(this.#key)?.isStopped === true;
    return this.#growth(does, isLimit ? 'limit' : 'budget', true);
  }

  /**
   * Returns true if the expression stays within the limit of one evaluation and within its shared budget. If the shared budget is exceeded,
   * the server drops the results of all expressions that share it.
   */
  #ends(length: number): boolean {
    const probed = this.#probe(length).expressions.get(this.#key);
    return probed !== undefined && !probed.isStopped && probed.sharedCost <= probed.budget;
  }

  #growth(mayGrowTo: number | undefined, endsBy: ListGrowth['endsBy'], isChecked: boolean): ListGrowth {
    const { part, index, name, cost } = this.#expression;
    const { path, length, largest } = this.#list;
    return { part, index, name, list: path, length, cost, mayGrowTo, largest, endsBy, isChecked };
  }
}
