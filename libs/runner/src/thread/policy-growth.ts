import type { PolicyCellFindings } from '#benchmark';
import type { ListGrowth } from '#documents';
import type { CancellationToken } from '#go';
import { growParts as growPartsOf } from '#policy';
import type { AdmissionPolicies, PolicyFindings, ProbedPolicy } from '#policy';
import { unpackItems } from '../pack-items.ts';
import type { GrowWork, PolicyStudyWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { JudgingCaches } from './judge-item.ts';
import { studyPolicy } from './study-policy.ts';

/** Performer of the work on how policies grow. A thread loads its code only when it gets such work. */
export class PolicyGrowth {
  readonly #caches: JudgingCaches;

  constructor(caches: JudgingCaches) {
    this.#caches = caches;
  }

  /** Performs the work of {@link growParts}. */
  grow(work: GrowWork, token: CancellationToken): ListGrowth[] {
    return growParts(work, this.#caches, token);
  }

  /** Performs the work of {@link studyPolicy}. */
  study(work: PolicyStudyWork, token: CancellationToken): PolicyCellFindings {
    return studyPolicy(work, this.#caches, token);
  }
}

/**
 * Returns how long each list, map and text may become before expressions of a policy exceed a cost limit. They are parts of one object and
 * of the parameter objects of the policy. Returns an empty list if the policy does not apply to the object.
 */
function growParts({ item, policy, settings }: GrowWork, caches: JudgingCaches, token: CancellationToken): ListGrowth[] {
  const [slice] = unpackItems(item);
  const cached = settings.policies === undefined ? undefined : caches.policies.get(settings.policies);
  if (slice === undefined || cached?.ok !== true) return [];
  const findings = judgeItem(slice, settings, caches, token).admission;
  return probed(policy, cached.policies, findings).flatMap(({ probe, request }) => {
    const world = cached.policies.world(request.namespace, settings.options.admission.authorizer);
    return growPartsOf(probe, request, world, token).map(({ name, param, mayGrowTo, endsBy, ...growth }) => ({
      ...growth,
      ...(name !== undefined && { name }),
      ...(param !== undefined && { param }),
      mayGrowTo: mayGrowTo ?? null,
      ...(endsBy !== undefined && { endsBy }),
    }));
  });
}

/** Returns the policies of a name, a validating and a mutating one, each with the request that reached it. */
function probed(name: string, { validating, mutating }: AdmissionPolicies, findings: PolicyFindings | undefined) {
  const isNamed = ({ compiled }: ProbedPolicy['hook']): boolean => compiled.policy.name === name;
  const found: { readonly probe: ProbedPolicy; readonly request: NonNullable<PolicyFindings['request']> }[] = [];
  const mutator = mutating?.hooks.find(isNamed);
  const validator = validating.hooks.find(isNamed);
  const { request, mutationRequest } = findings ?? {};
  if (mutator !== undefined && mutationRequest !== undefined)
    found.push({ probe: { kind: 'mutating', hook: mutator }, request: mutationRequest });
  if (validator !== undefined && request !== undefined) found.push({ probe: { kind: 'validating', hook: validator }, request });
  return found;
}
