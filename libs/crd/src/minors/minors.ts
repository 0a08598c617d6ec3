import { changesOf, minorNumber } from '#kube';
import type { Change, Difference, Minor } from '#kube';

/**
 * All differences between Kubernetes minor versions in how a server treats CustomResourceDefinitions and their objects.
 *
 * To add a minor version, extend this list, the lists of differences in libs/kube and libs/cel, and the list of entries in
 * `minors.spec.ts`. Source: apiextensions-apiserver (1.30 to 1.38), unless an entry names another source.
 */
export const CRD_DIFFERENCES = {
  // The first differences concern objects. Source: pkg/apiserver/validation/validation.go.
  /** Source: sigs.k8s.io/yaml 1.3 and 1.4. */
  mapKeyErrorsAreSmall: {
    since: 31,
    seen: undefined,
    unseen: 'clients and Assay read YAML themselves, before a server would',
  },
  statusIsNamed: {
    since: 31,
    seen: {
      sentence: 'Since 1.31, errors in the status of an object show the whole path of the field, which begins with `status`',
      upstream: 'apiextensions-apiserver v0.31.0 pkg/registry/customresource/status_strategy.go',
    },
  },
  statusRatchets: {
    since: 33,
    seen: {
      sentence: 'Since 1.33, a write of the status also accepts invalid values that it does not change',
      upstream: 'kubernetes#129506',
    },
  },
  scalarsAreShown: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, the error of a rule shows the refused value if it is a scalar, and not only its type',
      upstream: 'kubernetes#132798',
    },
  },
  /** Also, `minimum` and `maximum` must fit the type and the format. */
  numbersAreTyped: {
    since: 36,
    seen: { sentence: 'Since 1.36, a server refuses numbers outside of their `format`, such as `int32`', upstream: 'kubernetes#136582' },
  },
  /** Before, only a float slightly above an integer counted as the integer. */
  integersAreRounded: {
    since: 37,
    seen: {
      sentence: 'Since 1.37, a float slightly below an integer counts as the integer, not only a float slightly above it',
      upstream: 'kube-openapi#590',
    },
  },
  /** The causes have the types `FieldValueTooShort` and `FieldValueTooFew`. */
  shortagesAreTyped: {
    since: 38,
    seen: {
      sentence: 'Since 1.38, errors about `minLength`, `minItems` and `minProperties` say `Too short` and `Too few`',
      upstream: 'kubernetes#141641',
    },
  },
  // The other differences concern definitions. Source: pkg/apis/apiextensions/validation/validation.go,
  // pkg/registry/customresourcedefinition/strategy.go.
  /** Source: pkg/apiserver/schema/validation.go `validateNestedValueValidation`. */
  nestedClosedMapsAreIgnored: {
    since: 31,
    seen: {
      sentence: 'Since 1.31, `additionalProperties: false` may stand inside of `allOf`, `anyOf`, `oneOf` and `not`',
      upstream: 'apiextensions-apiserver v0.31.0 pkg/apiserver/schema/validation.go',
    },
  },
  bundlesAreChecked: {
    since: 31,
    seen: {
      sentence: 'Since 1.31, an update of an established definition checks that the CA bundle of its webhook contains certificates',
      upstream: 'kubernetes#124061',
    },
  },
  /** Before, this needed a rule of the old definition with the text of the messageExpression. */
  oldMessagesAreKept: {
    since: 31,
    seen: {
      sentence: 'Since 1.31, an update keeps the `messageExpression` of the old definition even if new ones may not use its functions',
      upstream: 'kubernetes#125703',
    },
  },
  storedVersionsHaveHistory: {
    since: 33,
    seen: {
      sentence: 'Since 1.33, the error about a stored version that is missing in `spec.versions` explains what to do',
      upstream: 'kubernetes#128746',
    },
  },
  textsAreBare: {
    since: 34,
    seen: { sentence: 'Since 1.34, errors about definitions do not repeat the name of their field', upstream: 'kubernetes#132513' },
  },
  formatsAreWarned: { since: 34, seen: { sentence: 'Since 1.34, a server warns of unknown formats', upstream: 'kubernetes#133136' } },
  selectableFieldsRatchet: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, an update of a definition that already has too many selectable fields is accepted',
      upstream: 'kubernetes#133187',
    },
  },
  /** Source: pkg/apis/apiextensions/v1/types.go. */
  generationsAreObserved: {
    since: 35,
    seen: {
      sentence: 'Since 1.35, the status of a definition and its conditions have the field `observedGeneration`',
      upstream: 'kubernetes#134984',
    },
  },
  formatsAreTyped: {
    since: 36,
    seen: { sentence: 'Since 1.36, a server warns of unknown formats of integers and numbers, too', upstream: 'kubernetes#136582' },
  },
  documentationIsStructural: {
    since: 36,
    seen: {
      sentence:
        'Since 1.36, a server refuses `example` and `externalDocs` in the `anyOf` of an int-or-string, and in the schema of `metadata`',
      upstream: 'kubernetes#136977',
    },
  },
  setsAreWarned: {
    since: 37,
    seen: { sentence: 'Since 1.37, a server warns of lists of the type `set` whose items are no scalars', upstream: 'kubernetes#140616' },
  },
  /** Source: sigs.k8s.io/json `addErrorContext` (2024-10, 2025-07). */
  decodingKeepsPaths: {
    since: 35,
    seen: {
      sentence:
        'Since 1.35, an error about the type of a value in a definition shows the whole path below `items` and `additionalProperties`',
      upstream: 'sigs.k8s.io/json v0.0.0-20250730193827-2d320260d730 internal/golang/encoding/json/decode.go',
    },
  },
} as const satisfies Readonly<Record<string, Difference>>;

/** Differences of `CRD_DIFFERENCES` with their names. An error whose text depends on the Kubernetes version lists the differences that chose its text. */
export const CRD_CHANGES = changesOf(CRD_DIFFERENCES);

/** Name of a behaviour in `CRD_DIFFERENCES`, the list of differences between Kubernetes minor versions. */
export type CrdChange = keyof typeof CRD_DIFFERENCES;

/** Returns true if a Kubernetes minor version has the behaviour of the entry `change`. */
export function crdHas(minor: Minor, change: CrdChange): boolean {
  return minorNumber(minor) >= CRD_DIFFERENCES[change].since;
}

/**
 * Returns true if a Kubernetes minor version is not older than `since` (number after the dot). If `since` is undefined, all minor versions
 * that Assay knows have the feature, and the result is true.
 */
export function isSince(minor: Minor, since: number | undefined): boolean {
  return since === undefined || minorNumber(minor) >= since;
}

/** Line number in pkg/runtime/scheme.go that errors of the oldest supported minor versions contain. */
const FIRST_SCHEME_LINE = 100;

const lineOf = (since: number, line: number, version: string) =>
  ({
    since,
    line,
    seen: {
      sentence: `Since 1.${since}, the error about a definition of an unknown kind ends with \`scheme.go:${line}\``,
      upstream: `apimachinery ${version} pkg/runtime/scheme.go`,
    },
  }) as const satisfies Difference & { readonly line: number };

/**
 * Differences in the line number in pkg/runtime/scheme.go (k8s.io/apimachinery) that errors contain as part of the scheme's name, oldest
 * first.
 */
export const SCHEME_LINE_DIFFERENCES = {
  schemeLineIs110: lineOf(33, 110, 'v0.33.0'),
  schemeLineIs111: lineOf(35, 111, 'v0.35.0'),
  schemeLineIs110Again: lineOf(38, 110, 'v0.38.0-beta.0'),
} as const;

/** Returns the line number in pkg/runtime/scheme.go that the errors of a Kubernetes minor version contain. */
export function schemeLine(minor: Minor): number {
  return Object.values(SCHEME_LINE_DIFFERENCES).findLast(({ since }) => minorNumber(minor) >= since)?.line ?? FIRST_SCHEME_LINE;
}

const SCHEME_LINE_CHANGES: readonly Change[] = Object.values(changesOf(SCHEME_LINE_DIFFERENCES));

/** Returns the difference that set the line number of {@link schemeLine}. Returns an empty list for the oldest number. */
export const schemeLineChanges = (minor: Minor): readonly Change[] =>
  SCHEME_LINE_CHANGES.filter(({ since }) => minorNumber(minor) >= since).slice(-1);

/**
 * Returns the number of the minor version before `minor`, for example 36 for 1.37. A server of version `minor` knows only the string
 * formats of that previous version. New expressions may use only the CEL features of that previous version.
 */
export function formatMinor(minor: Minor): number {
  return minorNumber(minor) - 1;
}
