import { growLists as growListsOf } from '#policy';
import type { CancellationToken } from '#go';
import type { ListGrowth } from '#documents';
import { unpackItems } from '../pack-items.ts';
import type { GrowWork } from '../protocol.ts';
import { judgeItem } from './judge-item.ts';
import type { Caches } from './judge-item.ts';

/**
 * Returns, for the lists in one object, how long each list may become before expressions of a policy exceed a cost limit. Returns an empty
 * list if the policy does not apply to the object.
 */
export function growLists({ item, policy, settings }: GrowWork, caches: Caches, token: CancellationToken): ListGrowth[] {
  const [slice] = unpackItems(item);
  const cached = settings.policies === undefined ? undefined : caches.policies.get(settings.policies);
  if (slice === undefined || cached?.ok !== true) return [];
  const request = judgeItem(slice, settings, caches, token).admission?.request;
  const hook = cached.policies.validating.hooks.find(({ compiled }) => compiled.policy.name === policy);
  if (request === undefined || hook === undefined) return [];
  const world = cached.policies.world(request.namespace, settings.options.admission.authorizer);
  return growListsOf(hook, request, world, token).map(({ name, mayGrowTo, endsBy, ...growth }) => ({
    ...growth,
    ...(name !== undefined && { name }),
    mayGrowTo: mayGrowTo ?? null,
    ...(endsBy !== undefined && { endsBy }),
  }));
}
