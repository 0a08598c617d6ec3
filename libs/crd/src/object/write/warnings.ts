import { codePointLength, compareBytes, goQuote, deepEqualJson } from '#go';
import type { JsonObject } from '#go';
import { checkQualifiedName } from '#kube';
import type { Change, LabelWording } from '#kube';
import type { TextChanges } from '../../verdict.ts';

/** Limit of the total length of all warnings, in code points. If it is exceeded, each warning is truncated. */
const TOTAL_RUNES = 4096;
/** Maximum length of one warning after truncation, in code points. */
const ITEM_RUNES = 256;
const CONTROL = /\p{Cc}/u;

/**
 * Collector of the warning headers of one response. Each text is sent once. If the total length exceeds its limit, all texts are truncated
 * and later texts may be dropped. Texts with control characters are skipped, because they cannot be headers. Source:
 * k8s.io/apiserver/pkg/endpoints/filters/warning.go (1.37).
 */
export class Warnings {
  readonly #seen = new Set<string>();
  #changes: Map<string, readonly Change[]> | undefined;
  #written: string[] = [];
  #runes = 0;
  #truncating = false;

  /** Warning texts in the form in which a client receives them. */
  get texts(): readonly string[] {
    return this.#written;
  }

  /** Warnings of a verdict, with the differences that decide about them if there are any. */
  get result(): { readonly warnings: readonly string[]; readonly changes?: TextChanges } {
    return { warnings: this.texts, ...(this.#changes && { changes: this.#changes }) };
  }

  /** Adds a warning. `changes` are the differences because of which some Kubernetes versions do not give it. */
  add(text: string, changes?: readonly Change[]): void {
    if (changes !== undefined) (this.#changes ??= new Map()).set(text, changes);
    if (text === '' || (this.#truncating && this.#runes >= TOTAL_RUNES) || this.#seen.has(text)) return;
    this.#seen.add(text);
    const shown = this.#truncating ? cut(text) : text;
    if (CONTROL.test(shown)) return;
    const length = codePointLength(shown);
    if (this.#truncating || this.#runes + length <= TOTAL_RUNES) {
      this.#write(shown, length);
      return;
    }
    this.#truncating = true;
    this.#runes = 0;
    this.#written = [];
    for (const known of this.#seen) {
      const replayed = cut(known);
      if (!CONTROL.test(replayed)) this.#write(replayed, codePointLength(replayed));
    }
  }

  #write(text: string, length: number): void {
    this.#runes += length;
    this.#written.push(text);
  }
}

function cut(text: string): string {
  // A text never has more code points than UTF-16 units.
  if (text.length <= ITEM_RUNES) return text;
  const runes = [...text];
  return runes.length > ITEM_RUNES ? runes.slice(0, ITEM_RUNES).join('') : text;
}

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

/**
 * Removes owner references that equal an earlier reference, in place. Returns a warning that names the removed references, or undefined if
 * none was removed. Source: k8s.io/apiserver/pkg/endpoints/handlers/rest.go `dedupOwnerReferencesAndAddWarning` (1.37).
 */
export function dedupOwnerReferences(metadata: JsonObject): string | undefined {
  const references = metadata['ownerReferences'];
  if (!Array.isArray(references)) return undefined;
  const kept = references.filter((reference, index) => references.findIndex((earlier) => deepEqualJson(earlier, reference)) === index);
  if (kept.length === references.length) return undefined;
  const dropped = references.filter((reference, index) => references.findIndex((earlier) => deepEqualJson(earlier, reference)) !== index);
  metadata['ownerReferences'] = kept;
  const uids = dropped.map((reference) => String((reference as JsonObject)['uid'])).join(', ');
  return (
    '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, ' +
    `and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`
  );
}
