import type { JsonObject } from '#go';
import { Fields } from '../read/fields.ts';
import { readPolicyHead } from '../read/policy.ts';
import type { PolicyHead } from '../read/policy.ts';

/** MutatingAdmissionPolicy with defaults. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface MutatingPolicy extends PolicyHead {
  readonly mutations: readonly Mutation[];
  /**
   * Decides if the policy is called a second time. `IfNeeded`: the policy is called again if a later policy changed the object. `Never`:
   * the policy is not called again.
   */
  readonly reinvocationPolicy: string;
}

/** Single change of a mutating policy: an apply configuration or a JSON patch, given by an expression. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** Mutation as written in the policy document, even if its content does not match its `patchType`. */
export interface WrittenMutation {
  readonly patchType: string;
  /**
   * Expressions of the mutation in its two possible parts. `applyConfiguration` or `jsonPatch` is undefined if the policy omits that part.
   */
  readonly applyConfiguration: string | undefined;
  readonly jsonPatch: string | undefined;
}

/**
 * Reads a MutatingAdmissionPolicy of any API version. Omits mutations that lack the part that their `patchType` requires. Throws
 * `Unreadable` if a field has a wrong type.
 */
export function readMutatingPolicy(document: JsonObject): MutatingPolicy {
  const spec = new Fields(document, '').object('spec');
  return {
    ...readPolicyHead(document),
    reinvocationPolicy: spec.text('reinvocationPolicy'),
    mutations: readMutations(document)
      .map(announced)
      .filter((mutation) => mutation !== undefined),
  };
}

/** Reads the mutations of a MutatingAdmissionPolicy without checking their content. Throws `Unreadable` if a field has a wrong type. */
export function readMutations(document: JsonObject): readonly WrittenMutation[] {
  return new Fields(document, '').object('spec').list('mutations', (value, path) => {
    const fields = new Fields(value, path);
    return {
      patchType: fields.text('patchType'),
      applyConfiguration: fields.optionalObject('applyConfiguration')?.text('expression'),
      jsonPatch: fields.optionalObject('jsonPatch')?.text('expression'),
    };
  });
}

function announced({ patchType, applyConfiguration, jsonPatch }: WrittenMutation): Mutation | undefined {
  if (patchType === 'ApplyConfiguration' && applyConfiguration !== undefined) return { patchType, expression: applyConfiguration };
  if (patchType === 'JSONPatch' && jsonPatch !== undefined) return { patchType, expression: jsonPatch };
  return undefined;
}
