import { minorNumber } from './minor.ts';
import type { Minor } from './minor.ts';

/**
 * Texts and checks of this library that differ between Kubernetes minor versions. Each value is the first minor version (number after the
 * dot) with the new behaviour. `formats/format.ts` has the minor versions of formats, and `feature-gates.ts` those of feature gates. To add
 * a minor version, compare its sources with the sources of the version before, and add an entry for each difference. `minors.spec.ts` also
 * lists every entry. Sources: k8s.io/apimachinery/pkg/util/validation/field/errors.go, pkg/api/validation (1.30 to 1.38).
 */
export const KUBE_DIFFERENCES = {
  /** Errors about a length say `may not be more than`. Earlier minor versions say `may not be longer than`. */
  lengthsAreMost: 32,
  /** `field.TooLong` and `field.TooLongMaxLength` produce the same text. */
  oneTooLong: 32,
  /** Texts about one byte or one item use the singular. Earlier minor versions use the plural. */
  onesAreSingular: 34,
  /** Errors do not repeat the name of their field. Errors about missing values do not say that the value must not be empty. */
  errorsAreTerse: 34,
  /**
   * Errors show lists and structs as JSON; earlier minor versions use Go's syntax. A missing value is shown as `null`; earlier minor
   * versions show the text "null".
   */
  valuesAreJson: 34,
  /**
   * Labels are checked by k8s.io/apimachinery/pkg/api/validate/content. Errors then state lengths in bytes, and say `a valid label key`
   * instead of `a qualified name`.
   */
  labelsAreContent: 35,
  /** Errors about owner references contain the index of the reference. */
  ownersAreIndexed: 37,
  /**
   * Metadata is also validated by declarative rules. They change the errors about operations in managedFields, and reject a negative
   * generation on updates too. A filter for these rules removes duplicate errors from the validation of a kind.
   */
  metadataIsDeclarative: 37,
  /**
   * Errors of the declarative rules for metadata replace equal errors of the other checks. They name no reason for a missing value, and no value of
   * a field that must not change. Source: pkg/apis/meta/v1/types.go, rules that are beta.
   */
  metadataRulesAreEnforced: 38,
  /** An update that removes the generation is refused with `field cannot be cleared once set`, also if the old generation is negative. */
  generationIsKept: 38,
  /**
   * Errors about invalid JSON in the search for apiVersion and kind show whole runes and escapes. The server is built with Go 1.27, whose
   * encoding/json is new. Source: pkg/runtime/serializer/json/meta.go, Go encoding/json/v2_scanner.go.
   */
  jsonErrorsShowRunes: 38,
  /**
   * Quantities keep a bounded number of digits, sums of them round the finer summand, and powers without a suffix are written as exponents.
   * The exponent -2147483648 is rejected. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go, amount.go.
   */
  quantitiesAreBounded: 38,
} as const satisfies Readonly<Record<string, number>>;

/** Name of an entry of {@link KUBE_DIFFERENCES}. */
export type KubeChange = keyof typeof KUBE_DIFFERENCES;

/**
 * Returns true if servers of a Kubernetes minor version have the new behaviour that the entry `change` of {@link KUBE_DIFFERENCES}
 * describes.
 */
export function kubeHas(minor: Minor, change: KubeChange): boolean {
  return minorNumber(minor) >= KUBE_DIFFERENCES[change];
}
