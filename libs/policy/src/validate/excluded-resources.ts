import type { GroupVersionResource } from '../request/group-version.ts';

/**
 * Resources to which no admission policy applies. They are the policies and bindings themselves, and the review resources that
 * authentication and authorization depend on. Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/plugin.go; kubernetes
 * pkg/kubeapiserver/admission/exclusion/resources.go (1.37).
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

/** Returns true if admission policies do not apply to a resource. */
export function isExcluded({ group, resource }: GroupVersionResource): boolean {
  return group !== '' && EXCLUDED.has(`${group}/${resource}`);
}
