import { MINORS } from '#kube';
import type { Minor } from '#kube';
import { has, releaseOf } from '../minors.ts';
import type { TypeNaming } from './types/format.ts';

/** Behaviour of values, and names of their types, as far as they changed between minors. Planning a program binds it. */
export interface Semantics extends TypeNaming {
  /** `==` of lists of type set and map asks only whether each element has a partner, so that `['a', 'b'] == ['a', 'a']`. */
  readonly duplicatesHide: boolean;
  /**
   * Raw data identifies elements of sets on one side, and CEL values on the other. So an integer in a set of numbers,
   * or a text that CEL converts, equals no value.
   */
  readonly setsAreRaw: boolean;
  /** Elements of map lists are told apart by raw data under escaped key names also when lists are added. */
  readonly keysAreRaw: boolean;
  /** A field that is null on both sides makes objects unequal. */
  readonly nullFieldsDiffer: boolean;
  /** Reading a variable that is an optional takes the schema off the value it holds. */
  readonly optionalsLoseSchemas: boolean;
  /** `x.orValue(y)` and `x.or(y)` give x where it is no optional. */
  readonly anythingIsOptional: boolean;
  /** A comprehension computes its accumulator's first value also when nothing reads it. */
  readonly accumulatorsAreEager: boolean;
  /** A step from a variable whose value is an error is taken, and paid for, before the error is noticed. */
  readonly errorsAreQualified: boolean;
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
    optionalTypeName: has(release, 'optionalTypeIsNamed') ? 'optional_type' : 'optional',
  };
}

const BY_MINOR: ReadonlyMap<Minor, Semantics> = new Map(MINORS.map((minor) => [minor, made(minor)]));

/** Returns the semantics of a minor; one object per minor. */
export function semanticsOf(minor: Minor): Semantics {
  return BY_MINOR.get(minor) as Semantics;
}
