import { kindText } from '../request/group-version.ts';
import type { GroupVersionKind } from '../request/group-version.ts';
import type { Kinds, KnownKind } from '../request/kinds.ts';
import type { ParamKind } from '../read/policy.ts';
import { splitApiVersion } from './param-objects.ts';

/**
 * Returns the kind of a policy's parameters, or undefined if the policy has no parameters. Returns an error if the server does not serve
 * the kind. Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go (1.37).
 */
export function paramKindOf(paramKind: ParamKind | undefined, kinds: Kinds): KnownKind | { readonly error: string } | undefined {
  if (paramKind === undefined) return undefined;
  const [group, version] = splitApiVersion(paramKind.apiVersion);
  const kind: GroupVersionKind = { group, version, kind: paramKind.kind };
  return kinds.ofKind(kind) ?? { error: `failed to find resource referenced by paramKind: '${kindText(kind)}'` };
}
