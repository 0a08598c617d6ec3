import { minorNumber } from '#kube';
import type { Minor } from '#kube';

/**
 * Everything about definitions and their objects that differs between server minors: the first minor (number after the dot) with the later
 * behaviour. To add a minor, read this file, the ledgers of libs/kube and libs/cel, and extend these lists; `minors.spec.ts` names every
 * entry. Source: apiextensions-apiserver (1.30 to 1.37), the file where an entry says none.
 */
export const CRD_DIFFERENCES = {
  // Objects. Source: pkg/apiserver/validation/validation.go.
  /** The error of a YAML key that JSON cannot have begins with a small letter. Source: sigs.k8s.io/yaml 1.3 and 1.4. */
  mapKeyErrorsAreSmall: 31,
  /** Errors about the status name their fields in full. */
  statusIsNamed: 31,
  /** Writes of the status ratchet. */
  statusRatchets: 33,
  /** An error of a rule shows the scalar that the rule refused, before its type. */
  scalarsAreShown: 35,
  /** Formats of numbers are enforced, and bounds checked against their type. */
  numbersAreTyped: 36,
  /** A float counts as an integer from both sides. */
  integersAreRounded: 37,
  // Definitions. Source: pkg/apis/apiextensions/validation/validation.go, pkg/registry/customresourcedefinition/strategy.go.
  /**
   * A junctor may contain `additionalProperties: false`. Source: pkg/apiserver/schema/validation.go
   * `validateNestedValueValidation`.
   */
  nestedClosedMapsAreIgnored: 31,
  /** The CA bundle of a webhook must hold certificates, in updates of an established definition. */
  bundlesAreChecked: 31,
  /**
   * A messageExpression of the old definition may use all features that the server knows. Before this minor, it may do
   * so only if a rule of the old definition has the same text.
   */
  oldMessagesAreKept: 31,
  /** A missing stored version is told with its history. */
  storedVersionsHaveHistory: 33,
  /** Texts no longer repeat the name of their field. */
  textsAreBare: 34,
  /** Unknown formats are warned of. */
  formatsAreWarned: 34,
  /** Too many selectable fields are allowed if they did not change. */
  selectableFieldsRatchet: 35,
  /** The status of a definition and its conditions may tell the generation that they are about. Source: pkg/apis/apiextensions/v1/types.go. */
  generationsAreObserved: 35,
  /** Formats of anything but strings are looked at, too. */
  formatsAreTyped: 36,
  /** `example` and `externalDocs` count as part of a structural schema. */
  documentationIsStructural: 36,
  /** Sets of anything but scalars are warned of. */
  setsAreWarned: 37,
  /** An error below `items` or `additionalProperties` tells the whole path. Source: sigs.k8s.io/json `addErrorContext` (2024-10, 2025-07). */
  decodingKeepsPaths: 35,
} as const satisfies Readonly<Record<string, number>>;

/** The name of an entry. */
export type CrdChange = keyof typeof CRD_DIFFERENCES;

/** Returns true when a minor has an entry's later behaviour. */
export function crdHas(minor: Minor, change: CrdChange): boolean {
  return minorNumber(minor) >= CRD_DIFFERENCES[change];
}

/** Returns true if a minor has what began with another (number after the dot); undefined: all that Assay knows have it. */
export function isSince(minor: Minor, since: number | undefined): boolean {
  return since === undefined || minorNumber(minor) >= since;
}

/** Lines of pkg/runtime/scheme.go (k8s.io/apimachinery) that name the scheme in errors, by the minor from which they hold. */
const SCHEME_LINES: readonly (readonly [since: number, line: number])[] = [
  [35, 111],
  [33, 110],
  [0, 100],
];

/** Returns the line of pkg/runtime/scheme.go that a minor's errors name. */
export function schemeLine(minor: Minor): number {
  return SCHEME_LINES.find(([since]) => minorNumber(minor) >= since)?.[1] ?? 0;
}

/** Returns the minor (number after the dot) as of which string formats are known: one behind, as for new expressions. */
export function formatMinor(minor: Minor): number {
  return minorNumber(minor) - 1;
}
