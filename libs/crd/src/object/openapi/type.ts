import { goQuote } from '#go';
import { typeInvalid } from '#kube';
import type { Change } from '#kube';
import type { Dialect } from './check.ts';
import { roundingOf } from './json-integer.ts';
import { KINDS, JSON_TYPE_NAMES } from './kind.ts';
import type { Kind } from './kind.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Result of validating the keywords `type` and `format` for the kind of a value, such as integer or float. `fits`: the kind is allowed.
 * `fitsIfIntegral`: a float is allowed only if it is integral. Otherwise the result is the error, with the expected and the actual type.
 */
export type TypeOutcome = 'fits' | 'fitsIfIntegral' | { readonly expected: string; readonly actual: string };

/** Names of number formats in Go, which the error about a format mismatch shows. */
const GO_FORMATS: Readonly<Partial<Record<Kind, string>>> = { [KINDS.int]: 'int64', [KINDS.float]: 'float64' };

/**
 * Validates `type` for a kind of value. If the format is a string format, arrays are also accepted. Returns undefined if the keyword does
 * not apply. Source: kube-openapi pkg/validation/validate/type.go.
 */
export function typeOutcome(types: readonly string[], format: string, nullable: boolean, kind: Kind): TypeOutcome | undefined {
  if (kind === KINDS.null) {
    return types.length > 0 && !types.includes('null') && !nullable ? { expected: types.join(','), actual: 'null' } : 'fits';
  }
  if (types.length === 0 && format === '') return undefined;
  const actual = JSON_TYPE_NAMES[kind] as string;
  const numeric = types.includes('number') || types.includes('integer');
  const textual = kind === KINDS.string || kind === KINDS.array;
  if (!numeric && format !== '' && textual) return 'fits';
  if (types.includes(actual) || (kind === KINDS.int && types.includes('number'))) return 'fits';
  const mismatch =
    format !== '' && !textual && GO_FORMATS[kind] !== format
      ? { expected: format, actual: GO_FORMATS[kind] ?? '' }
      : { expected: types.join(','), actual };
  return kind === KINDS.float && types.includes('integer') ? 'fitsIfIntegral' : mismatch;
}

/**
 * Adds the error for a value of the wrong type. Like the server, the error shows the name of the actual type instead of the value. `because`
 * are the differences because of which some Kubernetes versions accept the type.
 */
export function reportType(walk: SchemaWalk, expected: string, actual: string, because?: readonly Change[]): void {
  const name = walk.name;
  const text = `${name} in body must be of type ${expected}: ${goQuote(actual)}`;
  walk.add({ text, name, toError: (field) => typeInvalid(field, actual, text), because });
}

/** Types and format that a schema allows for a number. */
export interface Expected extends Pick<Dialect, 'isIntegral'> {
  readonly types: readonly string[];
  readonly format: string;
}

/** Validates a float against `type: integer`. Returns false if the float is neither integral nor nearly integral. */
export function checkIntegral(float: number, expected: Expected, walk: SchemaWalk): boolean {
  const { types, format } = expected;
  if (expected.isIntegral(float)) return true;
  if (format !== '') reportType(walk, format, 'float64', roundingOf(float));
  else reportType(walk, types.join(','), 'number', roundingOf(float));
  return false;
}
