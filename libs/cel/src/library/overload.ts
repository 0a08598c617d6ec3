import type { Minor } from '#kube';
import type { CelType } from '../values/types/type.ts';
import type { Overload } from './define.ts';

/** Properties of an overload besides its signature. */
type OverloadParts = Pick<Overload, 'call'> &
  Partial<
    Pick<
      Overload,
      'since' | 'until' | 'binarySince' | 'nonStrict' | 'estimate' | 'measure' | 'variadic' | 'panics' | 'growth' | 'inline' | 'reduce'
    >
  >;

/** Returns an overload called as f(x, y). `since` defaults to always. */
export function globalOverload(id: string, parameters: readonly CelType[], result: CelType, parts: OverloadParts): Overload {
  return { id, style: 'function', parameters, result, since: 0, variadic: parameters.length > 2, ...parts };
}

/** Returns an overload called as x.f(y); the receiver is the first parameter. */
export function memberOverload(id: string, parameters: readonly CelType[], result: CelType, parts: OverloadParts): Overload {
  return { ...globalOverload(id, parameters, result, parts), style: 'method' };
}

/** The form of an overload before a minor. */
export interface EarlierForm {
  /** The first minor without it. */
  readonly until: Minor;
  readonly parts: Partial<OverloadParts>;
}

/** Returns an overload that did other things in older minors: one overload for each form, oldest first. */
export function dated(latest: Overload, earlier: readonly EarlierForm[]): Overload[] {
  const forms: Overload[] = [];
  let since: Minor | undefined = latest.binarySince;
  for (const { until, parts } of earlier) {
    forms.push({ ...latest, ...parts, binarySince: since, binaryUntil: until });
    since = until;
  }
  return [...forms, { ...latest, binarySince: since }];
}
