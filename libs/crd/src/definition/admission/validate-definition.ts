import {
  checkDns1123Subdomain,
  childPath,
  indexPath,
  invalid,
  metaWording,
  readObjectMeta,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '#kube';
import type { FieldError, FieldPath, ObjectMetaRules } from '#kube';
import type { Definition } from '../../schema/definition.ts';
import { validateApproval } from './api-approval.ts';
import type { HoistedDefinition } from './hoist.ts';
import type { AdmissionOptions } from './options.ts';
import { validateNames } from './validate-names.ts';
import { validateSpec } from './validate-spec.ts';
import type { RuleContexts } from './validate-spec.ts';
import type { DefinitionWording } from './wording.ts';

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
    // A duplicate version is checked twice, but deleted only once.
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
