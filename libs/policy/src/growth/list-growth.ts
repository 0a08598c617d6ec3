import { PER_CALL_LIMIT } from '#kube';
import { expressionKey, probePolicy } from './policy-probe.ts';
import { listsOf } from './object-lists.ts';
import type { CancellationToken } from '#go';
import type { AdmissionRequest } from '../request/admission-request.ts';
import type { PolicyHook } from '../validate/policy-set.ts';
import type { World } from '../world.ts';
import type { ObjectList } from './object-lists.ts';
import type { PolicyExpressionPlace, PolicyProbe, ProbedExpression } from './policy-probe.ts';

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
      // Around a good guess small steps find both sides; they become larger where it was none.
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
