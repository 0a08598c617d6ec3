import { newJsonObject } from '#go';
import type { JsonObject } from '#go';
import { ObjectLiteral } from '#cel';
import type { CelValue } from '#cel';
import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';
import { splitApiVersion } from '../../params.ts';
import { kindText } from '../../request/kinds.ts';
import type { GroupVersionKind } from '../../request/kinds.ts';
import { applyConfiguration } from '../merge/apply-configuration.ts';
import type { MergeRules } from '../merge/apply-configuration.ts';
import type { ObjectSchemas } from '../../schemas/object-schemas.ts';
import { literalData, literalRules, typeNameErrors } from '../values/literal-data.ts';
import type { BuiltInKind } from '../../built-in/table/built-in-kind.ts';
import type { PolicyRefusal } from '../../validate/verdict.ts';

const mergeRules = (minor: Minor): MergeRules => ({
  required: policyHas(minor, 'oneKeyIsEnough') ? 'any' : 'each',
  liveDuplicates: policyHas(minor, 'storedDuplicatesMerge') ? 'allowed' : 'refused',
});

/** Object that a mutation changes, with its types. */
export interface MutationTarget {
  readonly object: JsonObject;
  /** Built-in kind whose Go type stores the object; undefined if the object is not stored in a Go type. */
  readonly type: BuiltInKind | undefined;
  readonly kind: GroupVersionKind;
  readonly schemas: ObjectSchemas;
  readonly minor: Minor;
}

/**
 * Merges an object literal, which an expression returned, into the object of the request. Source:
 * k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `Patch` (1.37).
 */
export function applyLiteral(literal: CelValue, { object, kind, schemas, minor }: MutationTarget): MutationOutcome {
  if (!(literal instanceof ObjectLiteral)) return mutationFailed('unsupported return type from ApplyConfiguration expression');
  const mistyped = typeNameErrors(literal);
  if (mistyped !== undefined) return mutationFailed(`type mismatch: ${mistyped}`);
  const converted = literalData(literal, literalRules(minor));
  if (!converted.ok) return mutationFailed('invalid return type: *dynamic.ObjectVal');
  const { apiVersion = null, kind: name = null } = object;
  const configuration = Object.assign(newJsonObject(), converted.data, { apiVersion, kind: name });
  // `schemas` contains only types of the group and version in `kind`. An earlier patch may have changed the group or version of the object.
  const stated = statedKind(object);
  const atom = stated.group === kind.group && stated.version === kind.version ? schemas.mergeType(stated) : undefined;
  if (typeof atom !== 'function') {
    return mutationFailed(
      `error applying patch: failed to convert patch object to typed object: no corresponding type for ${kindText(stated)}`,
    );
  }
  const merged = applyConfiguration(atom, object, configuration, mergeRules(minor));
  if (!merged.ok) return mutationFailed(`error applying patch: ${merged.error}`);
  return { kind: 'patched', object: merged.object };
}

function statedKind({ apiVersion, kind }: JsonObject): GroupVersionKind {
  const [group, version] = typeof apiVersion === 'string' ? splitApiVersion(apiVersion) : ['', ''];
  return { group, version, kind: typeof kind === 'string' ? kind : '' };
}

/** Result of one mutation: the patched object, an error, a refusal of the request, or a panic. */
export type MutationOutcome =
  | { readonly kind: 'patched'; readonly object: JsonObject }
  /** Error of the mutation. The failure policy decides if the error rejects the request. */
  | { readonly kind: 'failed'; readonly error: string }
  /** Refusal that ends the request, whatever the failure policy is. */
  | { readonly kind: 'refused'; readonly refusal: PolicyRefusal }
  | { readonly kind: 'panicked'; readonly error: string };

/** Returns the result of a mutation that failed with `error`. */
export const mutationFailed = (error: string): MutationOutcome => ({ kind: 'failed', error });

/** Returns the refusal with code 500 and the message `Internal error occurred: …`. */
export const patchInternalError = (error: string): PolicyRefusal => ({
  code: 500,
  reason: 'InternalError',
  message: `Internal error occurred: ${error}`,
  causes: [error],
});
