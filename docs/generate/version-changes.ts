import { defaultGates, FEATURE_GATES, MINORS, minorNumber, STRING_FORMATS, stringFormat } from '#kube';
import type { Minor } from '#kube';
import { offers, releaseOf } from '#cel';
import { FUNCTIONS } from '../../libs/cel/src/library/all.ts';
import type { Overload } from '../../libs/cel/src/library/define.ts';

/** Changes of a version that the declarations of functions, formats and feature gates state, as Markdown lists of names in code font. */
export interface DeclaredChanges {
  /** Functions that new rules may use from this version on. */
  readonly functions: string;
  /** Functions whose result or cost differs from the version before. */
  readonly changed: string;
  /** Signatures that the version no longer knows. */
  readonly removed: string;
  /** String formats that the version checks, and the version before does not. */
  readonly formats: string;
  /** Feature gates that are on by default from this version on. */
  readonly gates: string;
}

/** All overloads with the names of their functions. Functions that only macros call are left out. */
const OVERLOADS: readonly (readonly [name: string, overload: Overload])[] = FUNCTIONS.filter(({ name }) => !name.includes('@')).flatMap(
  ({ name, overloads }) => overloads.map((overload) => [name, overload] as const),
);

/** Returns the changes from the version `before` to the version `minor` that declarations state. */
export function declaredChanges(before: Minor, minor: Minor): DeclaredChanges {
  const offered = (version: Minor): Set<string> =>
    new Set(OVERLOADS.filter(([, overload]) => offers(releaseOf(version, 'new'), overload)).map(([name]) => name));
  const earlier = offered(before);
  const begun = OVERLOADS.filter(([, { binarySince }]) => binarySince === minor);
  const ended = OVERLOADS.filter(([, { replacedIn }]) => replacedIn === minor);
  const goesOn = ([, { id }]: (typeof OVERLOADS)[number]): boolean => begun.some(([, one]) => one.id === id);
  return {
    functions: inCode([...offered(minor)].filter((name) => !earlier.has(name))),
    changed: inCode(ended.filter(goesOn).map(([name]) => name)),
    removed: inCode(ended.filter((one) => !goesOn(one)).map(([name]) => name)),
    formats: inCode(STRING_FORMATS.filter((format) => knows(format, minor) && !knows(format, before))),
    gates: inCode(FEATURE_GATES.filter((gate) => defaultGates(minor)[gate] && !defaultGates(before)[gate])),
  };
}

/** Returns true if servers of a version check a format. They know the formats of the version before. */
const knows = (format: string, minor: Minor): boolean => stringFormat(format, minorNumber(minor) - 1) !== undefined;

const inCode = (names: readonly string[]): string =>
  [...new Set(names)]
    .sort()
    .map((name) => `\`${name}\``)
    .join(', ');

/** Pairs of successive versions that Assay knows, newest first. */
export const STEPS: readonly (readonly [before: Minor, minor: Minor])[] = MINORS.slice(1)
  .map((minor, index) => [MINORS[index]!, minor] as const)
  .reverse();
