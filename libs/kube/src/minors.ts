import type { QuantityRules } from '#go';
import { changesOf } from './change.ts';
import type { Difference } from './change.ts';

/** Kubernetes minor versions that Assay supports, oldest first. Separate tables list the differences in behaviour between them. */
export const MINORS = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37', '1.38'] as const;

/** A Kubernetes minor version, such as `1.37`. */
export type Minor = (typeof MINORS)[number];

/** Newest released Kubernetes minor version. It is the default in all functions and options. */
export const LATEST_MINOR: Minor = '1.37';

/**
 * Minor versions that Kubernetes has not released yet, each with the pre-release whose behaviour Assay reproduces. To follow a newer
 * pre-release, change its entry; to follow the release, remove the entry and change `LATEST_MINOR`. `written-minors.spec.ts` names the documents
 * that must say the same.
 */
const PREVIEWS: Readonly<Partial<Record<Minor, string>>> = { '1.38': '1.38.0-beta.0' };

/** Returns the pre-release whose behaviour Assay reproduces for a minor version, such as `1.38.0-beta.0`. Returns undefined for a released minor version. */
export function previewOf(minor: Minor): string | undefined {
  return PREVIEWS[minor];
}

/** Returns the previews among minor versions, each with its pre-release: `{"1.38": "1.38.0-beta.0"}`. Returns undefined if there are none. */
export function previewsAmong(minors: readonly Minor[]): Readonly<Partial<Record<Minor, string>>> | undefined {
  const previews = minors.flatMap((minor) => {
    const preview = previewOf(minor);
    return preview === undefined ? [] : [[minor, preview] as const];
  });
  return previews.length === 0 ? undefined : Object.fromEntries(previews);
}

/**
 * Returns a sentence about the previews among minor versions, without a full stop at its end: `1.38 is a preview of 1.38.0-beta.0: texts and
 * costs may change until the release`. Returns undefined if there are none.
 */
export function previewNotice(minors: readonly Minor[]): string | undefined {
  const previews = Object.entries(previewsAmong(minors) ?? {}).map(([minor, preview]) => `${minor} is a preview of ${preview}`);
  return previews.length === 0 ? undefined : `${previews.join(', and ')}: texts and costs may change until the release`;
}

/** Returns a text without a full stop, and the notice about the previews among all supported minor versions after it. */
export function withPreviewNotice(text: string): string {
  const notice = previewNotice(MINORS);
  return notice === undefined ? text : `${text}. ${notice}`;
}

/**
 * Returns a minor version as users see it: `1.37`, or `1.38 (preview of 1.38.0-beta.0)` if Kubernetes has not released it yet. A version that
 * Assay does not support is returned unchanged.
 */
export function minorWords(minor: string): string {
  const preview = isMinor(minor) ? previewOf(minor) : undefined;
  return preview === undefined ? minor : `${minor} (preview of ${preview})`;
}

/** Returns the range of supported minor versions, with the given word between its ends: `1.30 to 1.38 (preview of 1.38.0-beta.0)`. */
export function minorRange(between: string): string {
  return `${MINORS[0]} ${between} ${minorWords(MINORS.at(-1) as Minor)}`;
}

/** Range of supported Kubernetes minor versions as text for display: `1.30 … 1.38 (preview of 1.38.0-beta.0)`. */
export const MINOR_RANGE = minorRange('…');

const NUMBERS = Object.fromEntries(MINORS.map((minor) => [minor, Number(minor.slice(2))])) as Readonly<Record<Minor, number>>;

/**
 * Returns the number after the dot of a Kubernetes minor version: 37 for `1.37`. The number comes from a table, because minor versions are
 * compared many times per request.
 */
export function minorNumber(minor: Minor): number {
  return NUMBERS[minor];
}

/** Returns true if the text is a Kubernetes minor version that Assay supports. */
export function isMinor(text: string): text is Minor {
  return (MINORS as readonly string[]).includes(text);
}

/** Returns true if only one of two minor versions has the later behaviour of a difference, which begins with the minor version `since`. */
export function separates({ since }: { readonly since: number }, one: Minor, other: Minor): boolean {
  return minorNumber(one) >= since !== minorNumber(other) >= since;
}

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

/** Returns the rules by which servers of a Kubernetes minor version parse, sum and write quantities. */
export function quantityRules(minor: Minor): QuantityRules {
  return kubeHas(minor, 'quantitiesAreBounded') ? 'bounded' : 'exact';
}
