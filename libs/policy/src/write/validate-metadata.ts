import { isJsonObject } from '#go';
import { checkDns1123Subdomain, childPath, invalid, readObjectMeta, validateObjectMeta } from '#kube';
import { policyHas } from '../minors.ts';
import type { JsonObject } from '#go';
import type { FieldError, Minor } from '#kube';

/** Name suffix that is reserved for policies that a server loads from files. */
const STATIC_SUFFIX = '.static.k8s.io';
const RESERVED =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';

/** Checks the metadata of a policy or binding. */
export function validateMetadata({ metadata }: JsonObject): FieldError[] {
  const meta = readObjectMeta(isJsonObject(metadata) ? metadata : {});
  return validateObjectMeta(meta, { namespaced: false, checkName: checkDns1123Subdomain }, childPath(undefined, 'metadata'));
}

/**
 * Returns the error or warning that a server reports for a policy or binding with a reserved name. Source: kubernetes
 * pkg/apis/admissionregistration/validation/static_suffix.go (1.36, 1.37).
 */
export function checkReservedName({ metadata }: JsonObject, minor: Minor): { readonly errors: FieldError[]; readonly warnings: string[] } {
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string' || !name.endsWith(STATIC_SUFFIX)) return { errors: [], warnings: [] };
  if (policyHas(minor, 'staticNamesAreRefused'))
    return { errors: [invalid(childPath(childPath(undefined, 'metadata'), 'name'), name, RESERVED)], warnings: [] };
  return { errors: [], warnings: policyHas(minor, 'staticNamesAreWarnedOf') ? [`metadata.name: ${RESERVED}`] : [] };
}
