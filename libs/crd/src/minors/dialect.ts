import { tooLongWords, tooManyWords } from '#kube';
import type { Minor, Server } from '#kube';
import type { Dialect } from '../object/openapi/check.ts';
import { isIntegralFloat, isIntegralFloatBefore137 } from '../object/openapi/json-integer.ts';
import { STRICT } from '../structural/validate-structural.ts';
import type { StructuralOptions } from '../structural/structural.ts';
import { crdHas, formatMinor } from './minors.ts';

const DIALECTS = new Map<Minor, Dialect>();

/** Returns the validation behaviour of a minor. It knows the string formats of the minor before, as new rules do. */
export function dialectOf(minor: Minor): Dialect {
  let dialect = DIALECTS.get(minor);
  if (dialect === undefined) DIALECTS.set(minor, (dialect = newDialect(minor)));
  return dialect;
}

const DEFAULTS_DIALECTS = new Map<Minor, Dialect>();

/** Returns the behaviour of a minor for the validation of defaults. */
export function defaultsDialectOf(minor: Minor): Dialect {
  let dialect = DEFAULTS_DIALECTS.get(minor);
  if (dialect === undefined) DEFAULTS_DIALECTS.set(minor, (dialect = { ...dialectOf(minor), forDefaults: true }));
  return dialect;
}

function newDialect(minor: Minor): Dialect {
  return {
    minor,
    tooLong: tooLongWords(minor),
    tooMany: tooManyWords(minor),
    typedNumbers: crdHas(minor, 'numbersAreTyped'),
    isIntegral: crdHas(minor, 'integersAreRounded') ? isIntegralFloat : isIntegralFloatBefore137,
    formatMinor: formatMinor(minor),
    forDefaults: false,
  };
}

/** The behaviour of a minor for writes of the status subresource. */
export interface StatusWrites {
  /** The path before field names of OpenAPI errors. */
  readonly base: 'status' | undefined;
  /** True if an unchanged value may stay invalid. */
  readonly ratchets: boolean;
}

/** See {@link StatusWrites}. Without the gate the fields of a status go without its name. Source: pkg/apiserver/validation/validation.go `ValidateCustomResourceUpdate` (1.31). */
export function statusWrites({ minor, gates: { CRDValidationRatcheting: ratcheting } }: Server): StatusWrites {
  return {
    base: ratcheting && crdHas(minor, 'statusIsNamed') ? 'status' : undefined,
    ratchets: ratcheting && crdHas(minor, 'statusRatchets'),
  };
}

/** Returns true if a rule's error shows the scalar that the rule refuses. */
export function showsScalars(minor: Minor): boolean {
  return crdHas(minor, 'scalarsAreShown');
}

/** Returns the requirements of a minor for structural schemas. */
export function structuralOptions(minor: Minor): StructuralOptions {
  if (crdHas(minor, 'documentationIsStructural')) return STRICT;
  return crdHas(minor, 'nestedClosedMapsAreIgnored') ? UNDOCUMENTED : CLOSED_MAPS_COUNT;
}

/** The requirements before documentation fields counted. */
const UNDOCUMENTED: StructuralOptions = { ...STRICT, documentation: 'ignored' };
/** The requirements of minors that refuse `additionalProperties: false` in a junctor, because they count it as a schema. */
const CLOSED_MAPS_COUNT: StructuralOptions = { ...UNDOCUMENTED, closedMaps: 'count' };
