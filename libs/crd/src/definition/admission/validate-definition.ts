import {
  checkDns1123Subdomain,
  childPath,
  indexPath,
  invalid,
  metaWording,
  readObjectMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
  keyPath,
  required,
} from '#kube';
import type { FieldError, FieldPath, ObjectMetaRules } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import type { HoistedDefinition } from './hoist.ts';
import type { AdmissionOptions } from './options.ts';
import { validateNames, validateSpec } from './validate-spec.ts';
import type { RuleContexts } from './validate-spec.ts';
import type { DefinitionWording } from './wording.ts';
import { goQuote, isJsonObject, parseUrl } from '#go';
import type { DefinitionCondition } from '../../verdict.ts';

/** Returns the validation rules for a definition's metadata. The name must be composed of plural and group. */
export function definitionMetaRules(definition: Definition, options: AdmissionOptions): ObjectMetaRules {
  const { names, group } = definition.spec;
  const wanted = `${names.plural}.${group}`;
  const checkName = (name: string): string[] => {
    const texts = checkDns1123Subdomain(name);
    return name === wanted ? texts : [...texts, 'must be spec.names.plural+"."+spec.group'];
  };
  const wording = metaWording(options.minor);
  return { namespaced: false, checkName, wording, distinct: wording.distinctErrors };
}

/**
 * Returns all errors of a new or changed definition, in upstream's order.
 * Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go `ValidateCustomResourceDefinition`,
 * `ValidateCustomResourceDefinitionUpdate` (1.37).
 */
export function validateDefinition(
  hoisted: HoistedDefinition,
  old: Definition | undefined,
  options: AdmissionOptions,
  contexts: RuleContexts,
): FieldError[] {
  const { definition } = hoisted;
  const meta = readObjectMeta(definition.metadata);
  const rules = definitionMetaRules(definition, options);
  const metadata = childPath(undefined, 'metadata');
  const errors =
    old === undefined
      ? validateObjectMeta(meta, rules, metadata)
      : validateObjectMetaUpdate(meta, readObjectMeta(old.metadata), rules, metadata);
  errors.push(...validateSpec(hoisted, options, contexts));
  if (old !== undefined) errors.push(...immutableFields(definition, old, options));
  const status = childPath(undefined, 'status');
  errors.push(...validateNames(definition.status.acceptedNames, childPath(status, 'acceptedNames')));
  errors.push(...validateStoredVersions(definition, childPath(status, 'storedVersions'), options.wording));
  errors.push(...validateApproval(definition, old));
  if (definition.spec.preserveUnknownFields && old?.spec.preserveUnknownFields !== true) {
    const detail = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
    errors.push(invalid(childPath(undefined, 'spec', 'preserveUnknownFields'), true, detail));
  }
  return errors;
}

function immutableFields(definition: Definition, old: Definition, options: AdmissionOptions): FieldError[] {
  const errors: FieldError[] = [];
  const spec = childPath(undefined, 'spec');
  const compare = (now: string, before: string, ...names: string[]): void => {
    if (now !== before) errors.push(invalid(childPath(spec, ...names), now, 'field is immutable'));
  };
  if (options.requireImmutableNames) {
    compare(definition.spec.scope, old.spec.scope, 'scope');
    compare(definition.spec.names.kind, old.spec.names.kind, 'names', 'kind');
  }
  compare(definition.spec.group, old.spec.group, 'group');
  compare(definition.spec.names.plural, old.spec.names.plural, 'names', 'plural');
  return errors;
}

/**
 * Validates the stored versions in a definition's status. Source: validation.go `ValidateCustomResourceDefinitionStoredVersions` (1.37).
 */
export function validateStoredVersions(
  { spec, status }: Pick<Definition, 'spec' | 'status'>,
  path: FieldPath,
  wording: DefinitionWording,
): FieldError[] {
  const { storedVersions } = status;
  if (storedVersions.length === 0) return [invalid(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const unmet = new Set(storedVersions);
  for (const version of spec.versions) {
    // If two versions have the same name, Kubernetes tests both, but the first test removes the name. So the test of a second storage
    // version fails.
    if (version.storage && !unmet.has(version.name)) {
      errors.push(invalid(path, [...storedVersions], `must have the storage version ${version.name}`));
    }
    unmet.delete(version.name);
  }
  for (const name of unmet) {
    errors.push(invalid(indexPath(path, storedVersions.lastIndexOf(name)), name, wording.missingStoredVersion(name)));
  }
  return errors;
}

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
function validateApproval(definition: Definition, old: Definition | undefined): FieldError[] {
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
