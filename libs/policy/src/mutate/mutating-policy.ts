import type { JsonObject } from '#go';
import { Fields } from '../read/fields.ts';
import { readPolicyHead } from '../read/policy.ts';
import type { PolicyHead } from '../read/policy.ts';

/** A MutatingAdmissionPolicy. Source: k8s.io/api/admissionregistration/v1/types.go (1.37). */
export interface MutatingPolicy extends PolicyHead {
  readonly mutations: readonly Mutation[];
  /** `IfNeeded`: called once more when a later policy changed the object; `Never`. */
  readonly reinvocationPolicy: string;
}

/** One change that a policy makes. */
export interface Mutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: string;
}

/** Reads a MutatingAdmissionPolicy of any version. Mutations that do not say what their type announces are left out. Throws `Unreadable`. */
export function readMutatingPolicy(document: JsonObject): MutatingPolicy {
  const spec = new Fields(document, '').object('spec');
  return {
    ...readPolicyHead(document),
    reinvocationPolicy: spec.text('reinvocationPolicy'),
    mutations: spec.list('mutations', (value, path) => readMutation(new Fields(value, path))).filter((mutation) => mutation !== undefined),
  };
}

function readMutation(fields: Fields): Mutation | undefined {
  const patchType = fields.text('patchType');
  if (patchType === 'ApplyConfiguration' && fields.has('applyConfiguration')) {
    return { patchType, expression: fields.object('applyConfiguration').text('expression') };
  }
  if (patchType === 'JSONPatch' && fields.has('jsonPatch')) return { patchType, expression: fields.object('jsonPatch').text('expression') };
  return undefined;
}
