import type { Authorize } from '#cel';
import type { Minor } from '#kube';
import type { Kinds } from './request/kinds.ts';
import type { Namespaces } from './request/namespaces.ts';
import type { ParamObjects } from './params/param-objects.ts';

/** Cluster state that admission uses for a request. */
export interface World {
  readonly minor: Minor;
  readonly kinds: Kinds;
  readonly namespaces: Namespaces;
  readonly params: ParamObjects;
  /** Function that answers the authorization checks of the variable `authorizer` in expressions. */
  readonly authorize: Authorize;
}
