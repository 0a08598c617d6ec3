import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * All differences between Kubernetes minor versions in how a server treats CustomResourceDefinitions and their objects. Each value is the
 * first minor version (number after the dot) that has the behaviour of the entry.
 *
 * To add a minor version, read this file and the lists of differences in libs/kube and libs/cel, and extend these lists; `minors.spec.ts`
 * names every entry. Source: apiextensions-apiserver (1.30 to 1.38), the file where an entry says none.
 */
export const CRD_DIFFERENCES = {
  // Objects. Source: pkg/apiserver/validation/validation.go.
  /** The error for a YAML key that JSON cannot represent begins with a lower-case letter. Source: sigs.k8s.io/yaml 1.3 and 1.4. */
  mapKeyErrorsAreSmall: 31,
  /** Errors in a status show the full field path, including `status`. */
  statusIsNamed: 31,
  /** Ratcheting also applies to writes of the status. */
  statusRatchets: 33,
  /** The error of a rule shows the rejected scalar instead of its type. */
  scalarsAreShown: 35,
  /** Formats of numbers are enforced, and bounds must fit the type of the number. */
  numbersAreTyped: 36,
  /**
   * A float slightly below or above an integer counts as this integer. In earlier minor versions, only a float slightly above an integer
   * counts as the integer.
   */
  integersAreRounded: 37,
  /** Errors about `minLength`, `minItems` and `minProperties` have the types `FieldValueTooShort` and `FieldValueTooFew`. */
  shortagesAreTyped: 38,
  // Definitions. Source: pkg/apis/apiextensions/validation/validation.go, pkg/registry/customresourcedefinition/strategy.go.
  /**
   * Branches of `allOf`, `anyOf`, `oneOf` and `not` may contain `additionalProperties: false`. Source: pkg/apiserver/schema/validation.go
   * `validateNestedValueValidation`.
   */
  nestedClosedMapsAreIgnored: 31,
  /** When an established definition is updated, the CA bundle of its webhook must contain certificates. */
  bundlesAreChecked: 31,
  /**
   * A messageExpression of the old definition may use all features that the server knows. Before this minor version, it may do so only if a
   * rule of the old definition has the same text.
   */
  oldMessagesAreKept: 31,
  /** The error about a missing stored version describes the history of the version. */
  storedVersionsHaveHistory: 33,
  /** Error messages no longer repeat the name of their field. */
  textsAreBare: 34,
  /** Unknown formats cause a warning. */
  formatsAreWarned: 34,
  /** Too many selectable fields are accepted if they are unchanged. */
  selectableFieldsRatchet: 35,
  /**
   * The status of a definition and its conditions may contain the generation that they refer to. Source:
   * pkg/apis/apiextensions/v1/types.go.
   */
  generationsAreObserved: 35,
  /** Formats of values other than strings are validated, too. */
  formatsAreTyped: 36,
  /** `example` and `externalDocs` count as parts of a structural schema. */
  documentationIsStructural: 36,
  /** Sets whose items are no scalars cause a warning. */
  setsAreWarned: 37,
  /**
   * An error below `items` or `additionalProperties` shows the full path. Source: sigs.k8s.io/json `addErrorContext` (2024-10, 2025-07).
   */
  decodingKeepsPaths: 35,
} as const satisfies Readonly<Record<string, number>>;

/** Name of a behaviour in `CRD_DIFFERENCES`, the list of differences between Kubernetes minor versions. */
export type CrdChange = keyof typeof CRD_DIFFERENCES;

/** Returns true if a Kubernetes minor version has the behaviour of the entry `change`. */
export function crdHas(minor: Minor, change: CrdChange): boolean {
  return minorNumber(minor) >= CRD_DIFFERENCES[change];
}

/**
 * Returns true if a Kubernetes minor version is not older than `since` (number after the dot). If `since` is undefined, all minor versions
 * that Assay knows have the feature, and the result is true.
 */
export function isSince(minor: Minor, since: number | undefined): boolean {
  return since === undefined || minorNumber(minor) >= since;
}

/**
 * Line numbers in pkg/runtime/scheme.go (k8s.io/apimachinery) that errors contain as part of the scheme's name, by the first Kubernetes
 * minor version with this line number.
 */
const SCHEME_LINES: readonly (readonly [since: number, line: number])[] = [
  [38, 110],
  [35, 111],
  [33, 110],
  [0, 100],
];

/** Returns the line number in pkg/runtime/scheme.go that the errors of a Kubernetes minor version contain. */
export function schemeLine(minor: Minor): number {
  return SCHEME_LINES.find(([since]) => minorNumber(minor) >= since)?.[1] ?? 0;
}

/**
 * Returns the number of the minor version before `minor`, for example 36 for 1.37. A server of version `minor` knows only the string
 * formats of that previous version. New expressions may use only the CEL features of that previous version.
 */
export function formatMinor(minor: Minor): number {
  return minorNumber(minor) - 1;
}
