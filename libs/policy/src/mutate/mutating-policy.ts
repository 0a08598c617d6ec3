import type { JsonObject } from '#go';
import { Fields } from '../read/fields.ts';
import { readPolicyHead } from '../read/policy.ts';
import type { PolicyHead } from '../read/policy.ts';

/** A MutatingAdmissionPolicy. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface MutatingPolicy extends PolicyHead {
  readonly mutations: readonly Mutation[];
  /** `IfNeeded`: the policy is called once more if a later policy changed the object. `Never`: the policy is not called again. */
  readonly reinvocationPolicy: string;
}

/** One change that a policy makes. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** One mutation in the form that the policy contains, even if its content does not match its `patchType`. */
export interface WrittenMutation {
  readonly patchType: string;
  /** Expressions of the mutation; `applyConfiguration` and `jsonPatch` are undefined if the policy omits the respective part. */
  readonly applyConfiguration: string | undefined;
  readonly jsonPatch: string | undefined;
}

/**
 * Reads a MutatingAdmissionPolicy of any version. Omits mutations that lack the part that their `patchType` requires. Throws `Unreadable`.
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

/** Reads the mutations of a MutatingAdmissionPolicy without checking them. Throws `Unreadable`. */
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
