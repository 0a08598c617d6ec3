import { tooLongWords, tooManyWords } from '#kube';
import type { Minor, Server } from '#kube';
import type { ValidationBehaviour } from '../object/openapi/schema-walk.ts';
import { isIntegralFloat, isIntegralFloatBefore137 } from '../object/openapi/json-integer.ts';
import { STRICT } from '../structural/validate-structural.ts';
import type { StructuralOptions } from '../structural/structural.ts';
import { crdHas, formatMinor } from './minors.ts';

const BEHAVIOURS = new Map<Minor, ValidationBehaviour>();

/**
 * Returns the validation behaviour of a Kubernetes minor version. The server knows the string formats of the previous minor version, see
 * {@link formatMinor}.
 */
export function behaviourOf(minor: Minor): ValidationBehaviour {
  let behaviour = BEHAVIOURS.get(minor);
  if (behaviour === undefined) BEHAVIOURS.set(minor, (behaviour = newBehaviour(minor)));
  return behaviour;
}

const DEFAULTS_BEHAVIOURS = new Map<Minor, ValidationBehaviour>();

/** Returns the behaviour of a Kubernetes minor version in the validation of defaults. */
export function defaultsBehaviourOf(minor: Minor): ValidationBehaviour {
  let behaviour = DEFAULTS_BEHAVIOURS.get(minor);
  if (behaviour === undefined) DEFAULTS_BEHAVIOURS.set(minor, (behaviour = { ...behaviourOf(minor), forDefaults: true }));
  return behaviour;
}

function newBehaviour(minor: Minor): ValidationBehaviour {
  return {
    minor,
    tooLong: tooLongWords(minor),
    tooMany: tooManyWords(minor),
    typedShortages: crdHas(minor, 'shortagesAreTyped'),
    typedNumbers: crdHas(minor, 'numbersAreTyped'),
    isIntegral: crdHas(minor, 'integersAreRounded') ? isIntegralFloat : isIntegralFloatBefore137,
    formatMinor: formatMinor(minor),
    forDefaults: false,
  };
}

/** Behaviour of a Kubernetes minor version for writes of the status subresource. */
export interface StatusWrites {
  /** Prefix of the field paths in OpenAPI errors; undefined if there is none. */
  readonly base: 'status' | undefined;
  /** True if an invalid value is accepted while it remains unchanged. */
  readonly ratchets: boolean;
}

/**
 * Returns how a server validates updates of the status subresource ({@link StatusWrites}): whether field paths have the prefix `status`,
 * and whether unchanged invalid values are accepted. If the gate `CRDValidationRatcheting` is off, the prefix is absent and such values are
 * rejected. Source: pkg/apiserver/validation/validation.go `ValidateCustomResourceUpdate` (1.31).
 */
export function statusWrites({ minor, gates: { CRDValidationRatcheting: ratcheting } }: Server): StatusWrites {
  return {
    base: ratcheting && crdHas(minor, 'statusIsNamed') ? 'status' : undefined,
    ratchets: ratcheting && crdHas(minor, 'statusRatchets'),
  };
}

/**
 * Returns true if, in a Kubernetes minor version, the error of a failed rule contains the rejected scalar value. In other minor versions,
 * the error contains the value's type instead.
 */
export function showsScalars(minor: Minor): boolean {
  return crdHas(minor, 'scalarsAreShown');
}

/** Returns the requirements for structural schemas in a Kubernetes minor version. */
export function structuralOptions(minor: Minor): StructuralOptions {
  if (crdHas(minor, 'documentationIsStructural')) return STRICT;
  return crdHas(minor, 'nestedClosedMapsAreIgnored') ? UNDOCUMENTED : CLOSED_MAPS_COUNT;
}

/** Requirements of Kubernetes minor versions in which documentation fields do not count as part of a structural schema. */
const UNDOCUMENTED: StructuralOptions = { ...STRICT, documentation: 'ignored' };
/**
 * Requirements of Kubernetes minor versions that reject `additionalProperties: false` in branches of `allOf`, `anyOf`, `oneOf` and `not`,
 * because they treat it as a schema.
 */
const CLOSED_MAPS_COUNT: StructuralOptions = { ...UNDOCUMENTED, closedMaps: 'count' };
