import type { Minor } from '#kube';
import type { CelType } from '../values/types/type.ts';
import type { Growth, Overload } from './define.ts';

/** Properties of an overload besides its signature. Only `call` is required. */
type OverloadParts = Pick<Overload, 'call'> &
  Partial<
    Pick<
      Overload,
      | 'since'
      | 'removedIn'
      | 'binarySince'
      | 'nonStrict'
      | 'paysForErrors'
      | 'estimate'
      | 'measure'
      | 'variadic'
      | 'panics'
      | 'growth'
      | 'inline'
      | 'reduce'
    >
  >;

/** Returns an overload that is called as `f(x, y)`. `since` defaults to 0, so every compatibility version offers the overload. */
export function globalOverload(id: string, parameters: readonly CelType[], result: CelType, parts: OverloadParts): Overload {
  return { id, style: 'function', parameters, result, since: 0, variadic: parameters.length > 2, ...parts };
}

/** Returns an overload that is called as `x.f(y)`. The receiver is the first parameter. */
export function memberOverload(id: string, parameters: readonly CelType[], result: CelType, parts: OverloadParts): Overload {
  return { ...globalOverload(id, parameters, result, parts), style: 'method' };
}

/**
 * Properties that an overload of a CEL function had in minor versions of the server before `replacedIn`, if they differ from its latest
 * properties.
 */
export interface EarlierForm {
  /** First minor version of the server in which these properties no longer apply. */
  readonly replacedIn: Minor;
  readonly parts: Partial<OverloadParts>;
}

/**
 * Returns the forms that an overload of a CEL function has in different Kubernetes minor versions, oldest first. `latest` is the newest
 * form. `earlier` contains the properties that differed in older minor versions.
 */
export function dated(latest: Overload, earlier: readonly EarlierForm[]): Overload[] {
  const forms: Overload[] = [];
  let since: Minor | undefined = latest.binarySince;
  for (const { replacedIn, parts } of earlier) {
    forms.push({ ...latest, ...parts, binarySince: since, replacedIn });
    since = replacedIn;
  }
  return [...forms, { ...latest, binarySince: since }];
}

/**
 * Returns zero growth, for a CEL function that reads at most a fixed amount of its arguments. The number of steps of a call then does not
 * depend on the sizes of the arguments. `source` names the upstream code with this growth.
 */
export const bounded = (source: string): Growth => ({ power: 0, source });

/**
 * Returns linear growth: the number of steps of a call rises in proportion to the size of its arguments. `source` names the upstream code
 * with this growth.
 */
export const linear = (source: string): Growth => ({ power: 1, source });

/**
 * Returns the growth of a function call whose number of steps is proportional to the product of the sizes of two arguments. `source` names
 * the upstream code with this growth.
 */
export const quadratic = (source: string): Growth => ({ power: 2, source });
