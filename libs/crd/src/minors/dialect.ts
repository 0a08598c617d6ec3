import { tooLongWords, tooManyWords } from '#kube';
import type { Minor, Server } from '#kube';
import type { Dialect } from '../object/openapi/check.ts';
import { isIntegralFloat, isIntegralFloatBefore137 } from '../object/openapi/json-integer.ts';
import { STRICT } from '../structural/validate-structural.ts';
import type { StructuralOptions } from '../structural/structural.ts';
import { crdHas, formatMinor } from './minors.ts';

const DIALECTS = new Map<Minor, Dialect>();

/** How a minor validates. String formats are known as of the minor before, as for new rules. */
export function dialectOf(minor: Minor): Dialect {
  let dialect = DIALECTS.get(minor);
  if (dialect === undefined) DIALECTS.set(minor, (dialect = newDialect(minor)));
  return dialect;
}

const DEFAULTS_DIALECTS = new Map<Minor, Dialect>();

/** How a minor validates defaults. */
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

/** How a minor validates writes of the status subresource. */
export interface StatusWrites {
  /** The path before field names of OpenAPI errors. */
  readonly base: 'status' | undefined;
  /** Whether what is unchanged may stay invalid. */
  readonly ratchets: boolean;
}

/** See {@link StatusWrites}. Without the gate the fields of a status go without its name. Source: pkg/apiserver/validation/validation.go `ValidateCustomResourceUpdate` (1.31). */
export function statusWrites({ minor, gates: { CRDValidationRatcheting: ratcheting } }: Server): StatusWrites {
  return {
    base: ratcheting && crdHas(minor, 'statusIsNamed') ? 'status' : undefined,
    ratchets: ratcheting && crdHas(minor, 'statusRatchets'),
  };
}

/** Whether an error of a rule shows the scalar that the rule refused. */
export function showsScalars(minor: Minor): boolean {
  return crdHas(minor, 'scalarsAreShown');
}

/** What a minor asks of structural schemas. */
export function structuralOptions(minor: Minor): StructuralOptions {
  if (crdHas(minor, 'documentationIsStructural')) return STRICT;
  return crdHas(minor, 'nestedClosedMapsAreIgnored') ? UNDOCUMENTED : CLOSED_MAPS_COUNT;
}

/** What was asked before documentation counted. */
const UNDOCUMENTED: StructuralOptions = { ...STRICT, documentation: 'ignored' };
/** What was asked when `additionalProperties: false` in a junctor was refused, as a schema there is. */
const CLOSED_MAPS_COUNT: StructuralOptions = { ...UNDOCUMENTED, closedMaps: 'count' };
