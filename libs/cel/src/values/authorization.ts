import { noSuchOverload } from './value.ts';
import type { CelError, CelValue } from './value.ts';
import { LibraryValue } from './library-value.ts';
import { objectType } from './types/type.ts';
import type { CelType } from './types/type.ts';

/** User whose permissions an authorization check tests. */
export interface AuthorizedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** Input of an authorization check: a user, a verb, and a resource or a path. An empty string means "unspecified". */
export type AuthorizationCheck = { readonly user: AuthorizedUser; readonly verb: string } & (
  | { readonly kind: 'path'; readonly path: string }
  | ({ readonly kind: 'resource' } & CheckedResource)
);

/** Resource for which an authorization check tests the user's permissions. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** Decision that an authorizer returns for one check. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Error message of the check; undefined if the check succeeded. */
  readonly error: string | undefined;
}

/** Function that decides authorization checks. */
export type Authorize = (check: AuthorizationCheck) => AuthorizationDecision;

/** CEL type of the variable `authorizer`. */
export const AUTHORIZER = objectType('kubernetes.authorization.Authorizer');
/** CEL type of an authorization check for a path. */
export const PATH_CHECK = objectType('kubernetes.authorization.PathCheck');
/** CEL type of an authorization check for an API group. A resource must be selected before the check can run. */
export const GROUP_CHECK = objectType('kubernetes.authorization.GroupCheck');
/** CEL type of an authorization check for a resource. */
export const RESOURCE_CHECK = objectType('kubernetes.authorization.ResourceCheck');
/** CEL type of the decision of an authorization check. */
export const DECISION = objectType('kubernetes.authorization.Decision');

/**
 * CEL value that supports only method calls. It cannot be compared or used as a key. Source: k8s.io/apiserver/pkg/cel/library/authz.go
 * `receiverOnlyObjectVal` (1.37).
 */
abstract class Receiver extends LibraryValue {
  abstract override readonly celType: CelType & { readonly kind: 'object' };
  get goType(): string {
    return `library.${this.celType.name.replace(/^.*\.(.)/, (_, first: string) => first.toLowerCase())}Val`;
  }
  override get isHashable(): boolean {
    return false;
  }
  equalTo(other: CelValue): CelError {
    return noSuchOverload(other);
  }
  toString(): string {
    return this.celType.name;
  }
}

/** CEL value of the variable `authorizer`: an authorizer for one user. */
export class AuthorizerValue extends Receiver {
  readonly celType = AUTHORIZER;
  readonly user: AuthorizedUser;
  readonly authorize: Authorize;
  constructor(user: AuthorizedUser, authorize: Authorize) {
    super();
    this.user = user;
    this.authorize = authorize;
  }

  /** Returns an authorization check for a resource, such as the value of `authorizer.requestResource`. */
  resource(resource: Pick<CheckedResource, 'group' | 'resource'> & Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this, { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '', ...resource });
  }
}

/** CEL value of an authorization check for a path. The verb is an argument of the method `check`. */
export class PathCheckValue extends Receiver {
  readonly celType = PATH_CHECK;
  readonly authorizer: AuthorizerValue;
  readonly path: string;
  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

/** CEL value of an authorization check for an API group. A resource must be selected before the check can run. */
export class GroupCheckValue extends Receiver {
  readonly celType = GROUP_CHECK;
  readonly authorizer: AuthorizerValue;
  readonly group: string;
  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** CEL value of an authorization check for a resource. The verb is an argument of the method `check`. */
export class ResourceCheckValue extends Receiver {
  readonly celType = RESOURCE_CHECK;
  readonly authorizer: AuthorizerValue;
  readonly resource: CheckedResource;
  constructor(authorizer: AuthorizerValue, resource: CheckedResource) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }
  with(narrower: Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.resource, ...narrower });
  }
}

/** CEL value of the decision of an authorization check. */
export class DecisionValue extends Receiver {
  readonly celType = DECISION;
  readonly decision: AuthorizationDecision;
  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
}
