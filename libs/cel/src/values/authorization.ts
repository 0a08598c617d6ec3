import { noSuchOverload } from './errors.ts';
import { LibraryValue } from './library-value.ts';
import { objectType } from './types/type.ts';
import type { CelError, CelValue } from './value.ts';
import type { CelType } from './types/type.ts';

/** The user of an authorization check. */
export interface AuthorizedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}

/** A question to an authorizer: a verb on a resource, or on a path. Empty texts are unspecified. */
export type AuthorizationCheck = { readonly user: AuthorizedUser; readonly verb: string } & (
  { readonly kind: 'path'; readonly path: string } | ({ readonly kind: 'resource' } & CheckedResource)
);

/** The resource that a check is about. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** An authorizer's answer. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Undefined: nothing went wrong. */
  readonly error: string | undefined;
}

/** Answers checks. */
export type Authorize = (check: AuthorizationCheck) => AuthorizationDecision;

/** The type of `authorizer`. */
export const AUTHORIZER = objectType('kubernetes.authorization.Authorizer');
/** The type of a check of a path. */
export const PATH_CHECK = objectType('kubernetes.authorization.PathCheck');
/** The type of an API group in which a resource is to be named. */
export const GROUP_CHECK = objectType('kubernetes.authorization.GroupCheck');
/** The type of a check of a resource. */
export const RESOURCE_CHECK = objectType('kubernetes.authorization.ResourceCheck');
/** The type of what came of a check. */
export const DECISION = objectType('kubernetes.authorization.Decision');

/** A value on which functions may be called, and nothing else. Source: k8s.io/apiserver/pkg/cel/library/authz.go `receiverOnlyObjectVal` (1.37). */
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

/** An authorizer for one user: the value of `authorizer`. */
export class AuthorizerValue extends Receiver {
  readonly celType = AUTHORIZER;
  readonly user: AuthorizedUser;
  readonly authorize: Authorize;
  constructor(user: AuthorizedUser, authorize: Authorize) {
    super();
    this.user = user;
    this.authorize = authorize;
  }

  /** The check of a resource, as `authorizer.requestResource` is one. */
  resource(resource: Pick<CheckedResource, 'group' | 'resource'> & Partial<CheckedResource>): ResourceCheckValue {
    return new ResourceCheckValue(this, { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '', ...resource });
  }
}

/** A check of a path, still without its verb. */
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

/** An API group in which a resource is to be named. */
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

/** A check of a resource, still without its verb. */
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

/** The result of a check as a value of CEL. */
export class DecisionValue extends Receiver {
  readonly celType = DECISION;
  readonly decision: AuthorizationDecision;
  constructor(decision: AuthorizationDecision) {
    super();
    this.decision = decision;
  }
}
