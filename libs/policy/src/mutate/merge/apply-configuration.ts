import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import type { AtomRef } from './atom.ts';
import { findAtomics } from './find-atomics.ts';
import type { KeyRules } from './item-key.ts';
import { mergeValues } from './merge-values.ts';
import { isJsonTree } from './merge-value.ts';
import type { MergeObject } from './merge-value.ts';
import { typeFaultsText, validateMergedValue } from './validate-value.ts';
import type { ValidationRules } from './validate-value.ts';

/** Merge rules that differ between Kubernetes minor versions. */
export interface MergeRules extends KeyRules {
  /** `allowed` if associative lists of the stored object, into which the configuration is merged, may contain items with equal keys. */
  readonly liveDuplicates: ValidationRules['duplicates'];
}

/** Result of merging an apply configuration into an object: the merged object or an error. */
export type ApplyOutcome = { readonly ok: true; readonly object: JsonObject } | { readonly ok: false; readonly error: string };

const refuse = (error: string): ApplyOutcome => ({ ok: false, error });

/**
 * Merges an apply configuration into an object, without tracking which client owns a field. Sets every field that the configuration
 * contains and removes no field. Source: k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch/smd.go `ApplyStructuredMergeDiff`
 * (1.37).
 */
export function applyConfiguration(type: AtomRef, live: JsonObject, configuration: MergeObject, rules: MergeRules): ApplyOutcome {
  const patchFaults = validateMergedValue(type, configuration, { required: rules.required, duplicates: 'refused' });
  if (patchFaults.length > 0 || !isJsonTree(configuration)) {
    return refuse(`failed to convert patch object to typed object: ${typeFaultsText(patchFaults)}`);
  }
  const atomics = findAtomics(type, configuration);
  if (atomics.length > 0) {
    return refuse(`invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`);
  }
  const liveFaults = validateMergedValue(type, live, { required: rules.required, duplicates: rules.liveDuplicates });
  if (liveFaults.length > 0) return refuse(`failed to convert original object to typed object: ${typeFaultsText(liveFaults)}`);
  const merged = mergeValues(type, live, configuration, rules);
  return isJsonObject(merged) ? { ok: true, object: merged } : refuse('failed to convert typed object to object');
}
