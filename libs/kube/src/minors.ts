import { minorNumber } from './minor.ts';
import type { Minor } from './minor.ts';

/**
 * Every text and check of this library that differs between server minors, with the first minor (number after the dot) of the later behaviour. The dates
 * of formats are in `formats/format.ts`, the stages of feature gates in `feature-gates.ts`. To add a minor, read this file and extend this list;
 * `minors.spec.ts` names every entry. Sources: k8s.io/apimachinery/pkg/util/validation/field/errors.go, pkg/api/validation (1.30 to 1.37).
 */
export const KUBE_DIFFERENCES = {
  /** An error about a length says `may not be more than`, before `may not be longer than`. */
  lengthsAreMost: 32,
  /** `field.TooLong` and `field.TooLongMaxLength` have the same words. */
  oneTooLong: 32,
  /** One byte and one item are in the singular. */
  onesAreSingular: 34,
  /** Errors neither repeat their field's name nor say that what is missing must not be empty. */
  errorsAreTerse: 34,
  /** Errors show lists and structs as JSON, before in Go's syntax; nothing is `null`, before the text "null". */
  valuesAreJson: 34,
  /** Labels are checked by k8s.io/apimachinery/pkg/api/validate/content. */
  labelsAreContent: 35,
  /** Errors of owner references name their index. */
  ownersAreIndexed: 37,
  /** Metadata is validated by declarations, too: their filter drops repeated errors of a kind's own validation. */
  metadataIsDeclarative: 37,
} as const satisfies Readonly<Record<string, number>>;

/** The name of an entry. */
export type KubeChange = keyof typeof KUBE_DIFFERENCES;

/** Returns true when a minor has an entry's later behaviour. */
export function kubeHas(minor: Minor, change: KubeChange): boolean {
  return minorNumber(minor) >= KUBE_DIFFERENCES[change];
}
