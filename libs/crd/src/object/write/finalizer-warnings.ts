import { compareBytes, goQuote } from '#go';
import { checkQualifiedName } from '#kube';
import type { LabelWording } from '#kube';

const STANDARD: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);
const FIELD = 'metadata.finalizers';

/**
 * Returns warnings about the finalizers that a create or update adds to an object. There is a warning about a finalizer that is no
 * qualified name, and about a finalizer without a domain that is no standard one. Source: apiextensions-apiserver
 * pkg/registry/customresource/validator.go `validateKubeFinalizerName` (1.37).
 */
export function finalizerWarnings(finalizers: readonly string[], oldFinalizers: readonly string[], wording: LabelWording): string[] {
  const added = [...new Set(finalizers)].filter((name) => !oldFinalizers.includes(name)).sort(compareBytes);
  return added.flatMap((name) => {
    const warnings = checkQualifiedName(name, wording).map((text) => `${FIELD}: ${goQuote(name)}: ${text}`);
    if (!name.includes('/') && !STANDARD.has(name)) {
      const path = name.includes('.') ? ' including a path (/)' : '';
      warnings.push(
        `${FIELD}: ${goQuote(name)}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
      );
    }
    return warnings;
  });
}
