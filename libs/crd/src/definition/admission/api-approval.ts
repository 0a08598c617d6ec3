import { goQuote, isJsonObject, parseUrl } from '#go';
import { childPath, invalid, keyPath, required } from '#kube';
import type { FieldError } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import type { DefinitionCondition } from '../../verdict.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Approval state of a definition in a protected group, with the reason for the state as a message. */
interface Approval {
  readonly state: 'missing' | 'bypassed' | 'approved' | 'invalid';
  readonly reason: string;
}

/**
 * Returns true if an API group is protected, that is, belongs to the Kubernetes community: `k8s.io`, `kubernetes.io`, or a subdomain of one
 * of them. Source: apiextensions-apiserver pkg/apihelpers/helpers.go (1.37).
 */
function isProtected(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

function annotationOf(definition: Definition): string {
  const annotations = definition.metadata['annotations'];
  const value = isJsonObject(annotations) ? annotations[ANNOTATION] : undefined;
  return typeof value === 'string' ? value : '';
}

function approvalOf(definition: Definition): Approval {
  const annotation = annotationOf(definition);
  const must = `protected groups must have approval annotation ${goQuote(ANNOTATION)}`;
  if (annotation === '') return { state: 'missing', reason: `${must}, ${SEE}` };
  if (annotation.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(annotation)}` };
  const parsed = parseUrl(annotation);
  if (parsed.ok && parsed.url.scheme !== '' && parsed.url.host.length > 0)
    return { state: 'approved', reason: `approved in ${annotation}` };
  return { state: 'invalid', reason: `${must} with either a URL or a reason starting with "unapproved", ${SEE}` };
}

/** Validates the approval annotation, which definitions in protected groups need. Source: validation.go `validateAPIApproval` (1.37). */
export function validateApproval(definition: Definition, old: Definition | undefined): FieldError[] {
  if (!isProtected(definition.spec.group)) return [];
  const { state, reason } = approvalOf(definition);
  if ((old !== undefined && approvalOf(old).state === state) || state === 'approved' || state === 'bypassed') return [];
  const at = keyPath(childPath(undefined, 'metadata', 'annotations'), ANNOTATION);
  return [state === 'missing' ? required(at, reason) : invalid(at, annotationOf(definition), reason)];
}

const REASONS: Readonly<Record<Approval['state'], string>> = {
  missing: 'MissingAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
};

/**
 * Returns the condition `KubernetesAPIApprovalPolicyConformant` that the approval controller writes, or undefined if the definition's API
 * group is not protected.
 */
export function approvalCondition(definition: Definition): DefinitionCondition | undefined {
  if (!isProtected(definition.spec.group)) return undefined;
  const { state, reason } = approvalOf(definition);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: REASONS[state], message: reason };
}
