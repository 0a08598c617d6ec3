import { PER_CALL_LIMIT } from '#kube';
import type { CancellationToken, JsonObject } from '#go';
import type { MutationWorld } from '../mutate/mutate.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { paramName } from '../params.ts';
import { partsOf } from './object-parts.ts';
import type { ObjectPart, PartUnit } from './object-parts.ts';
import { expressionKey, probePolicy } from './probe-policy.ts';
import type { PolicyExpressionPlace, PolicyProbe, ProbedExpression, ProbedPolicy } from './probe-policy.ts';

/** The length to which a list, map or text may grow before an expression exceeds a cost limit. */
export interface PartGrowth extends PolicyExpressionPlace {
  /** Path of the list, map or text in the object or in the parameter object: `spec.containers` */
  readonly list: string;
  readonly unit: PartUnit;
  /** Parameter object that contains the part: its name, or `namespace/name`. Undefined if the object of the request contains it. */
  readonly param: string | undefined;
  /** Current number of elements, entries or characters. */
  readonly length: number;
  /** Cost of the expression with the current length, in cost units. */
  readonly cost: number;
  /**
   * Greatest length at which the expression stays within its limits. Undefined if the expression stays within its limits even in the
   * largest possible object.
   */
  readonly mayGrowTo: number | undefined;
  /** Maximum length that the part can have before the whole object exceeds the maximum size of a request. */
  readonly largest: number;
  /**
   * Kind of limit that the expression exceeds if the part is longer by one than `mayGrowTo`. `limit`: the limit of one evaluation.
   * `budget`: a budget that several expressions share. Undefined if `mayGrowTo` is undefined.
   */
  readonly endsBy: 'limit' | 'budget' | undefined;
  /**
   * True if the policy was evaluated with `mayGrowTo` and with one more. If the search stopped early, this is false, and greater lengths
   * may also be within the limits.
   */
  readonly isChecked: boolean;
}

/** Maximum effort of the search for one policy, as the sum of cost units and copied elements. */
const MAX_EFFORT = 60_000_000;
/** Maximum number of evaluations in the search for one expression and one list. */
const MAX_PROBES = 40;

/**
 * Finds the length to which each list, map and text may grow before an expression of a policy exceeds a limit. These are the parts of the
 * request's object and of the parameter objects that the policy reads. Each expression is evaluated with the original part and with two
 * longer ones, and the length is extrapolated from the three costs. Further evaluations correct the length until one more exceeds the
 * limit. Parts are lengthened with copies of their own content. The work is limited by `MAX_EFFORT` and `MAX_PROBES`. Throws `Cancelled` if
 * the token requests cancellation.
 */
export function growParts(
  policy: ProbedPolicy,
  request: AdmissionRequest,
  world: MutationWorld,
  token?: CancellationToken,
): readonly PartGrowth[] {
  const effort = { left: MAX_EFFORT };
  const now = probePolicy(policy, request, world, token);
  return growingParts(now, request, world).flatMap((part) => {
    if (effort.left <= 0) return [];
    const probes = new Map<number, PolicyProbe>([[part.length, now]]);
    const probe: Probe = (length) => {
      const known = probes.get(length);
      if (known !== undefined) return known;
      const grown = part.with(length);
      const made = probePolicy(policy, grown.request, grown.world, token);
      effort.left -= made.cost + length;
      probes.set(length, made);
      return made;
    };
    return growthOf(part, probe, () => effort.left > 0);
  });
}

/** List, map or text in an object that a policy reads, with a function that makes it longer. */
export interface GrowingPart extends Pick<ObjectPart, 'path' | 'unit' | 'length' | 'largest'> {
  /** Parameter object that contains the part; undefined if the object of the request contains it. */
  readonly param: string | undefined;
  /** Returns the request and the cluster state with a part of the given length. */
  with(length: number): { readonly request: AdmissionRequest; readonly world: MutationWorld };
}

/** Returns the parts of the request's object, and of the parameter objects that `probe` evaluated. */
export function growingParts({ runs }: PolicyProbe, request: AdmissionRequest, world: MutationWorld): readonly GrowingPart[] {
  const { object, objectType } = request;
  const placed = (
    part: ObjectPart,
    param: string | undefined,
    set: (grown: JsonObject) => ReturnType<GrowingPart['with']>,
  ): GrowingPart => ({
    path: part.path,
    unit: part.unit,
    length: part.length,
    largest: part.largest,
    param,
    with: (length) => set(part.grownTo(length)),
  });
  const own = object === undefined ? [] : partsOf(object, objectType);
  const names = new Set(runs.map(({ param }) => param).filter((name) => name !== ''));
  const params = world.params.all().filter((param) => names.has(paramName(param)));
  return [
    ...own.map((part) => placed(part, undefined, (grown) => ({ request: { ...request, object: grown }, world }))),
    ...params.slice(0, MAX_PARAMS).flatMap((param) =>
      partsOf(param.object, param.type).map((part) =>
        placed(part, paramName(param), (grown) => ({
          request,
          world: { ...world, params: world.params.replacing(param, { ...param, object: grown }) },
        })),
      ),
    ),
  ];
}

/** Maximum number of parameter objects whose parts are examined. */
const MAX_PARAMS = 2;

/** Function that evaluates the policy with a part of the given length and returns the costs. */
type Probe = (length: number) => PolicyProbe;

function growthOf(list: GrowingPart, probe: Probe, mayGoOn: () => boolean): PartGrowth[] {
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

/** Result of a search. */
type Found = Partial<Pick<PartGrowth, 'mayGrowTo' | 'endsBy'>> & Pick<PartGrowth, 'isChecked'>;

/** Search for the greatest length of a list, map or text at which one expression stays within its limits. */
class LengthSearch {
  readonly #list: GrowingPart;
  readonly #expression: ProbedExpression;
  readonly #key: string;
  readonly #probe: Probe;
  readonly #mayGoOn: () => boolean;

  constructor(list: GrowingPart, expression: ProbedExpression, probe: Probe, mayGoOn: () => boolean) {
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
  from(guess: number): PartGrowth {
    const { length, largest } = this.#list;
    let does = length;
    let doesNot = largest + 1;
    let next = Math.max(length, guess);
    let reach = 1;
    for (let probes = 0; doesNot - does > 1; probes++) {
      if (probes >= MAX_PROBES || !this.#mayGoOn()) return this.#growth({ mayGrowTo: does, isChecked: false });
      if (this.#ends(next)) does = Math.max(does, next);
      else doesNot = Math.min(doesNot, next);
      // Probes near the last length, with steps that double. So a search needs few probes after a good guess, and not many after a bad
      // guess.
      const near = does === next ? does + reach : doesNot - reach;
      next = Math.min(doesNot - 1, Math.max(does + 1, near > does && near < doesNot ? near : Math.floor((does + doesNot) / 2)));
      reach *= 2;
    }
    if (doesNot > largest) return this.#growth({ isChecked: true });
    const isLimit = this.#probe(doesNot).expressions.get(this.#key)?.isStopped === true;
    return this.#growth({ mayGrowTo: does, endsBy: isLimit ? 'limit' : 'budget', isChecked: true });
  }

  /**
   * Returns true if the expression stays within the limit of one evaluation and within its shared budget. If the shared budget is exceeded,
   * the server drops the results of all expressions that share it.
   */
  #ends(length: number): boolean {
    const probed = this.#probe(length).expressions.get(this.#key);
    return probed !== undefined && !probed.isStopped && probed.sharedCost <= probed.budget;
  }

  #growth({ mayGrowTo, endsBy, isChecked }: Found): PartGrowth {
    const { part, index, name, cost } = this.#expression;
    const { path, unit, param, length, largest } = this.#list;
    return { part, index, name, list: path, unit, param, length, cost, mayGrowTo, largest, endsBy, isChecked };
  }
}
