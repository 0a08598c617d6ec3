import type { CancellationToken, JsonObject } from '#go';
import { isJsonObject } from '#go';
import { MAX_MATCH_CONDITIONS, multiplyPolicy } from './multiply-policy.ts';
import type { Multiplied, PolicySubject } from './multiply-policy.ts';
import { growingParts } from './part-growth.ts';
import type { GrowingPart } from './part-growth.ts';
import { compileSubject, probePolicy, requestFacts } from './probe-policy.ts';
import type { CompiledSubject, PolicyProbe, RequestFacts, SampleRequest } from './probe-policy.ts';

/** Evaluation of a policy at one size: its costs, and the steps from which a time can be predicted. */
export interface SizedProbe {
  readonly size: number;
  readonly probe: PolicyProbe;
  readonly facts: RequestFacts;
}

/** Sizes of a growing number, in order. */
const COUNTS = [1, 4, 16, 64, 256, 1024] as const;
/** Sizes of the number of match conditions, of which a server accepts only a few. */
const CONDITION_COUNTS = [1, 2, 4, 8, 16, 32, MAX_MATCH_CONDITIONS] as const;

/** Growth of a number of a policy's parts: its name, and the evaluations at rising sizes. */
export interface CountGrowth {
  /** Name of the part that is copied; undefined for parts without a name. */
  readonly name: string | undefined;
  /** Evaluates the policy at one size after the other. Each step takes the time of one evaluation. */
  readonly sizes: Iterable<SizedProbe>;
  /** Evaluates the policy at any size. Returns undefined if a server would not accept that many. */
  at(size: number): SizedProbe | undefined;
}

/**
 * Prepares the growth of the number of bindings, parameter objects, variables or match conditions of a policy. The binding, the variable
 * and the condition that cost most in `base` are copied. Returns the reason if the policy has no such part.
 */
export function growCount(
  subject: PolicySubject,
  sample: SampleRequest,
  what: Multiplied,
  base: PolicyProbe,
  token: CancellationToken | undefined,
): CountGrowth | string {
  const ordered = { ...subject, bindings: costliestFirst(subject.bindings, base.costliestBinding) };
  const costliest = what === 'bindings' || what === 'parameters' ? undefined : costliestOf(base, what);
  if (costliest === 'none')
    return what === 'variables' ? 'no expression uses a variable in this request' : 'the policy has no matchConditions';
  const first = multiplyPolicy(ordered, what, 1, costliest?.index);
  if (!first.ok) return first.why;
  const chosen = costliest?.index ?? 0;
  const at = (size: number): SizedProbe | undefined => probeCount(ordered, sample, what, { size, chosen, token });
  return { name: costliest?.name, sizes: countSizes(what === 'matchConditions' ? CONDITION_COUNTS : COUNTS, at), at };
}

function* countSizes(sizes: readonly number[], at: CountGrowth['at']): Generator<SizedProbe> {
  for (const size of sizes) {
    const probed = at(size);
    if (probed === undefined) return;
    yield probed;
  }
}

/** Evaluates a policy with `size` copies of a part. Returns undefined if a server would not accept that many. */
function probeCount(
  subject: PolicySubject,
  sample: SampleRequest,
  what: Multiplied,
  { size, chosen, token }: { readonly size: number; readonly chosen: number; readonly token: CancellationToken | undefined },
): SizedProbe | undefined {
  const multiplied = multiplyPolicy(subject, what, size, chosen);
  const compiled = multiplied.ok ? compileSubject(multiplied.subject, sample, token) : undefined;
  return compiled === undefined || typeof compiled === 'string' ? undefined : probeAt(size, compiled, sample, token);
}

/** Evaluates a compiled policy for the sample request. */
export function probeAt(size: number, compiled: CompiledSubject, sample: SampleRequest, token?: CancellationToken): SizedProbe {
  const probe = probePolicy(compiled.policy, sample.request, compiled.world, token);
  return { size, probe, facts: requestFacts(probe, compiled, sample.request) };
}

function costliestFirst(bindings: readonly JsonObject[], name: string | undefined): readonly JsonObject[] {
  const isCostliest = (binding: JsonObject): boolean => isJsonObject(binding['metadata']) && binding['metadata']['name'] === name;
  return bindings.toSorted((a, b) => Number(isCostliest(b)) - Number(isCostliest(a)));
}

function costliestOf({ expressions }: PolicyProbe, what: 'variables' | 'matchConditions') {
  const part = what === 'variables' ? 'variable' : 'matchCondition';
  const [costliest] = [...expressions.values()].filter((one) => one.part === part).toSorted((a, b) => b.cost - a.cost);
  return costliest ?? 'none';
}

/** Most expensive part of an object whose growth is examined, with the evaluations at rising sizes. */
export interface SizedPart {
  readonly part: GrowingPart;
  readonly sizes: Iterable<SizedProbe>;
}

/** Highest cost in cost units up to which a part grows. */
const MAX_PART_COST = 12_000_000;
/** Number of sizes at which a part is evaluated at most. */
const MAX_SIZES = 16;

/**
 * Yields the lists, maps and texts of the request's object and of the parameter objects with whose size the cost grows. Each is evaluated
 * at sizes that double, until an expression exceeds a limit, or the object has the size of the largest request.
 */
export function* growSizes(
  compiled: CompiledSubject,
  sample: SampleRequest,
  base: PolicyProbe,
  token: CancellationToken | undefined,
): Generator<SizedPart> {
  for (const part of growingParts(base, sample.request, compiled.world)) {
    const probed = sizedBy(part, compiled, sample, token);
    const larger = Math.min(part.largest, part.length + Math.max(MIN_STEP, part.length));
    if (larger > part.length && probed(larger).probe.cost > base.cost) yield { part, sizes: partSizes(part, probed) };
  }
}

/** Smallest number by which a part is lengthened. Some costs rise only once for ten characters. */
const MIN_STEP = 16;

function sizedBy(
  part: GrowingPart,
  { policy }: CompiledSubject,
  sample: SampleRequest,
  token: CancellationToken | undefined,
): (size: number) => SizedProbe {
  return (size) => {
    const { request, world } = part.with(size);
    return probeAt(size, { policy, world }, { ...sample, request }, token);
  };
}

function* partSizes({ length, largest }: GrowingPart, probed: (size: number) => SizedProbe): Generator<SizedProbe> {
  let size = length;
  for (let count = 0; count < MAX_SIZES && size <= largest; count++) {
    const one = probed(size);
    yield one;
    if (one.probe.cost > MAX_PART_COST || stopOf(one.probe) !== undefined) return;
    size = size < MIN_STEP ? size + MIN_STEP : size * 2;
  }
}

/** Returns the limit that an expression of a probe exceeds; undefined if all stay within their limits. */
export function stopOf({ expressions }: PolicyProbe): 'limit' | 'budget' | undefined {
  const all = [...expressions.values()];
  if (all.some(({ isStopped }) => isStopped)) return 'limit';
  return all.some(({ sharedCost, budget }) => sharedCost > budget) ? 'budget' : undefined;
}
