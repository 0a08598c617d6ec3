import { changesOf } from './change.ts';
import { minorNumber } from './minor.ts';
import type { Minor } from './minor.ts';
import type { Difference } from './seen-difference.ts';

/**
 * Texts and checks of this library that differ between Kubernetes minor versions. `formats/format.ts` has the minor versions of formats, and
 * `feature-gates.ts` those of feature gates. To add a minor version, compare its sources with the sources of the version before, and add an
 * entry for each difference. `minors.spec.ts` also lists every entry. Sources: k8s.io/apimachinery/pkg/util/validation/field/errors.go,
 * pkg/api/validation (1.30 to 1.38).
 */
export const KUBE_DIFFERENCES = {
  lengthsAreMost: {
    since: 32,
    seen: {
      sentence: 'Since 1.32, errors about lengths say `may not be more than`, and not `may not be longer than`',
      upstream: 'kubernetes#128553',
    },
  },
  /** `field.TooLong` and `field.TooLongMaxLength` produce the same text. */
  oneTooLong: {
    since: 32,
    seen: {
      sentence: 'Since 1.32, errors about long metadata say `may not be more than`, and not `must have at most`',
      upstream: 'kubernetes#128553',
    },
  },
  onesAreSingular: {
    since: 34,
    seen: { sentence: 'Since 1.34, errors about one byte or one item use the singular', upstream: 'kubernetes#132314' },
  },
  /** Errors about missing values do not say that the value must not be empty. */
  errorsAreTerse: {
    since: 34,
    seen: {
      sentence: 'Since 1.34, errors repeat neither the name of their field nor that a required value is missing',
      upstream: 'kubernetes#132472',
    },
  },
  /** Before, the text "null" stood for a missing value. */
  valuesAreJson: {
    since: 34,
    seen: { sentence: 'Since 1.34, errors show lists and objects as JSON, and a missing value as `null`', upstream: 'kubernetes#132314' },
  },
  /** Source: k8s.io/apimachinery/pkg/api/validate/content. */
  labelsAreContent: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, errors about labels state lengths in bytes, and say `a valid label key`',
      upstream: 'kubernetes#134094',
    },
  },
  ownersAreIndexed: {
    since: 37,
    seen: { sentence: 'Since 1.37, errors about owner references contain the index of the reference', upstream: 'kubernetes#140381' },
  },
  /** Declarative rules also validate metadata. A filter for these rules removes duplicate errors from the validation of a kind. */
  metadataIsDeclarative: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, errors about the operations in `metadata.managedFields` list the supported values',
      upstream: 'kubernetes#139505',
    },
  },
  /** Errors of the declarative rules for metadata replace equal errors of the other checks. Source: pkg/apis/meta/v1/types.go, rules that are beta. */
  metadataRulesAreEnforced: {
    since: 38,
    seen: {
      sentence: 'Since 1.38, errors about missing fields of owner references give no reason',
      upstream: 'apimachinery v0.38.0-beta.0 pkg/apis/meta/v1/types.go',
    },
  },
  /** It is also refused if the old generation is negative. */
  generationIsKept: {
    since: 38,
    seen: {
      sentence: 'Since 1.38, an update that sets `metadata.generation` to 0 is refused with `field cannot be cleared once set`',
      upstream: 'apimachinery v0.38.0-beta.0 pkg/api/validation/objectmeta.go',
    },
  },
  /** The server is built with Go 1.27, whose encoding/json is new. Source: pkg/runtime/serializer/json/meta.go, Go encoding/json/v2_scanner.go. */
  jsonErrorsShowRunes: {
    since: 38,
    seen: {
      sentence: 'Since 1.38, an error about invalid JSON shows whole characters in place of single bytes',
      upstream: 'Go 1.27 encoding/json/v2_scanner.go',
    },
  },
  /** Sums of quantities round the finer summand, and powers without a suffix are written as exponents. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go, amount.go. */
  quantitiesAreBounded: {
    since: 38,
    seen: {
      sentence: 'Since 1.38, quantities keep a bounded number of digits, and a server refuses exponents that are too large',
      upstream: 'kubernetes#141203',
    },
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Entries of {@link KUBE_DIFFERENCES} in the form that errors refer to. */
export const KUBE_CHANGES = changesOf(KUBE_DIFFERENCES);

/** Name of an entry of {@link KUBE_DIFFERENCES}. */
export type KubeChange = keyof typeof KUBE_DIFFERENCES;

/**
 * Returns true if servers of a Kubernetes minor version have the new behaviour that the entry `change` of {@link KUBE_DIFFERENCES}
 * describes.
 */
export function kubeHas(minor: Minor, change: KubeChange): boolean {
  return minorNumber(minor) >= KUBE_DIFFERENCES[change].since;
}
