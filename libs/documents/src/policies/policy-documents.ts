import type { Server } from '#kube';
import type { DefinitionText } from '../chunk/chunk.ts';
import { definitionText } from '../chunk/definition-digest.ts';
import type { DocumentSlice } from '../item/item.ts';
import type { PolicyText } from './policy-text.ts';

/** Admission policies of a batch, and the cluster objects that the policies read. */
export interface PolicyDocuments {
  /** Policies, policy bindings and webhook configurations (admissionregistration.k8s.io). */
  readonly policies: readonly DocumentSlice[];
  /** Objects that exist in the cluster: Namespaces, and parameter objects of policies. */
  readonly cluster: readonly DocumentSlice[];
}

/** Value for a batch without policies. */
export const NO_POLICIES: PolicyDocuments = { policies: [], cluster: [] };

/**
 * Maximum number of objects of the cluster, such as Namespaces and parameter objects, that a request may contain for its policies to read.
 */
export const MAX_CLUSTER_OBJECTS = 10_000;

/**
 * Maximum total size, in bytes, of the policies of one evaluation, including the definitions and cluster objects that the policies read.
 * All these documents are converted to one text in a single step. The process does no other work during this step.
 */
export const MAX_POLICY_BYTES = 8 * 1024 * 1024;

/** Kinds of objects that configure admission. */
const POLICY_KINDS: ReadonlySet<string> = new Set([
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
]);

/** Returns true if the type is a policy, a binding, or a webhook configuration. */
export function isPolicyType(apiVersion: unknown, kind: unknown): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('admissionregistration.k8s.io/') && POLICY_KINDS.has(String(kind));
}

const decoder = new TextDecoder();
const written = ({ bytes, notation }: DocumentSlice): PolicyText['policies'][number] => ({ notation, text: decoder.decode(bytes) });

/**
 * Packs the documents that are needed to evaluate admission policies into one text: the policies, the definitions, and the cluster objects
 * that the policies read. Threads receive this text and cache it by digest, like the text of a definition.
 */
export function policyTextOf(
  { policies, cluster }: PolicyDocuments,
  definitions: readonly DocumentSlice[],
  server: Server,
): DefinitionText {
  const text: PolicyText = { policies: policies.map(written), cluster: cluster.map(written), definitions: definitions.map(written) };
  const bytes = new TextEncoder().encode(JSON.stringify(text));
  return { ...definitionText({ bytes, notation: 'json' }, server), holds: 'policies' };
}
