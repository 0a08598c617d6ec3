import type { QuantityRules } from '#go';
import { MINORS, quantityRules } from '#kube';
import type { Minor } from '#kube';
import { has, releaseOf } from '../minors.ts';
import type { GoTypeNaming } from './go-type.ts';
import type { TypeNaming } from './types/type.ts';

/**
 * Behaviour of CEL values and names of types, as far as they differ between Kubernetes minor versions. It is fixed when an expression is
 * compiled to a program.
 */
export interface Semantics extends GoTypeNaming, TypeNaming {
  /**
   * True if `==` on lists of type set and map only tests whether each element has an equal element in the other list. By this rule, `['a',
   * 'b'] == ['a', 'a']`.
   */
  readonly duplicatesHide: boolean;
  /**
   * True if `==` and `+` on sets identify elements of the left set by raw data, and elements of the right operand by CEL values. In this
   * case, an integer in a set of numbers, or a text that CEL converts, equals no value.
   */
  readonly setsAreRaw: boolean;
  /**
   * True if `+` on map lists identifies elements by raw data, which it looks up by the escaped names of the key fields. `==` on the results
   * of this `+` does the same.
   */
  readonly keysAreRaw: boolean;
  /** True if `==` returns false for two objects in which the same field is null. */
  readonly nullFieldsDiffer: boolean;
  /** True if reading a variable that holds an optional removes the schema of the optional's value. */
  readonly optionalsLoseSchemas: boolean;
  /** True if `x.orValue(y)` and `x.or(y)` return `x` when `x` is no optional. */
  readonly anythingIsOptional: boolean;
  /** True if a comprehension computes the initial value of its accumulator even if nothing reads this value. */
  readonly accumulatorsAreEager: boolean;
  /** True if the first selection on a variable that holds an error is evaluated and charged before the error is reported. */
  readonly errorsAreQualified: boolean;
  /** True if a comparison such as `<` with NaN is false. If it is false, the comparison is an error. */
  readonly nanPrecedesNothing: boolean;
  /**
   * True if a failed argument, element or entry ends a call or a literal. The rest of it is not evaluated, and it costs nothing. Only `!`, `==` and `!=` are charged nevertheless. If it is false, all arguments of calls with at most two arguments are
   * evaluated, and calls and literals are charged.
   */
  readonly failuresEndCalls: boolean;
  /**
   * True if `reverse` and `slice` copy the raw data of a list of an object. The elements of the result then have no schema: a timestamp is
   * a string, and the keys of an object are not escaped. A list of at most one element is its own reverse.
   */
  readonly copiesLoseSchemas: boolean;
  /** Rules by which the quantities of built-in objects are compared. */
  readonly quantities: QuantityRules;
}

function made(minor: Minor): Semantics {
  const release = releaseOf(minor);
  return {
    duplicatesHide: !has(release, 'duplicatesCount'),
    setsAreRaw: !has(release, 'setElementsAreValues'),
    keysAreRaw: !has(release, 'keysAreFields'),
    nullFieldsDiffer: !has(release, 'nullFieldsAgree'),
    optionalsLoseSchemas: !has(release, 'optionalsKeepSchemas'),
    anythingIsOptional: !has(release, 'optionalsAreAsked'),
    accumulatorsAreEager: !has(release, 'accumulatorsAreLazy'),
    errorsAreQualified: !has(release, 'errorsEndChains'),
    nanPrecedesNothing: has(release, 'nanPrecedesNothing'),
    failuresEndCalls: has(release, 'failuresEndCalls'),
    copiesLoseSchemas: has(release, 'copiesLoseSchemas'),
    collectionsAreGeneric: has(release, 'collectionsAreGeneric'),
    quantities: quantityRules(minor),
    optionalTypeName: has(release, 'optionalTypeIsNamed') ? 'optional_type' : 'optional',
  };
}

const BY_MINOR: ReadonlyMap<Minor, Semantics> = new Map(MINORS.map((minor) => [minor, made(minor)]));

/**
 * Returns the run-time behaviour of CEL values in a Kubernetes minor version. There is exactly one {@link Semantics} object for each minor
 * version.
 */
export function semanticsOf(minor: Minor): Semantics {
  return BY_MINOR.get(minor) as Semantics;
}
