import type { GroupVersionResource } from '../request/group-version.ts';

/**
 * Resources to which no admission policy applies: policies and bindings themselves, and the reviews without which no user could log in.
 * Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/plugin.go; kubernetes pkg/kubeapiserver/admission/exclusion/resources.go
 * (1.37).
 */
const EXCLUDED: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Returns true if no admission policy applies to the resource. */
export function isExcluded({ group, resource }: GroupVersionResource): boolean {
  return group !== '' && EXCLUDED.has(`${group}/${resource}`);
}
