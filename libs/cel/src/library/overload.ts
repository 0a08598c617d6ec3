import type { Minor } from '#kube';
import type { CelType } from '../values/types/type.ts';
import type { Overload } from './define.ts';

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
