import { expressionsHave } from '#cel';
import { MINORS } from '#kube';
import type { Minor } from '#kube';

/** Entry of `DIFFERENCES` that changes the sizes that the schema gives to values, and so the estimates of rules. */
export type SizeSwitch = 'namesAreCapped' | 'intOrStringIsBounded';

/** All entries that change sizes. */
export const SIZE_SWITCHES: readonly SizeSwitch[] = ['namesAreCapped', 'intOrStringIsBounded'];

/** Returns the switches of sizes that two minor versions set differently. */
export function sizesBetween(one: Minor, other: Minor): readonly SizeSwitch[] {
  return SIZE_SWITCHES.filter((name) => expressionsHave(one, name) !== expressionsHave(other, name));
}

/** Returns the last minor version that does not have an entry's behaviour. */
export function minorBefore(name: SizeSwitch): Minor {
  return MINORS.findLast((minor) => !expressionsHave(minor, name)) ?? MINORS[0];
}
