import { groupOf, minorNumber, versionOf } from '#kube';
import type { Minor } from '#kube';
import { kinds } from './generated/table.ts';
import type { StructType } from './go-type.ts';
import { holdsIn, builtInTypes } from './read-table.ts';

/** A built-in kind with its Go type and its resource in one Kubernetes minor version. */
export interface BuiltInKind {
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Go type of the kind's objects. */
  readonly type: StructType;
  /** Resource that serves the kind. Undefined for kinds that occur only in requests or responses, such as lists, options and Scale. */
  readonly resource: BuiltInResource | undefined;
}

/** The resource that serves a kind, with its subresources that client-go knows. */
export interface BuiltInResource {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly subresources: readonly string[];
}

/** Collection of all built-in kinds of one Kubernetes minor version. */
export class BuiltInKinds {
  readonly #byName = new Map<string, BuiltInKind>();
  readonly #byResource = new Map<string, BuiltInKind>();

  constructor(minor: Minor) {
    const types = builtInTypes(minor);
    for (const line of kinds().split('\n')) {
      const [apiVersion = '', kind = '', type = '', ...served] = line.split(' ');
      const range = /^[+-]\d/.test(served.at(-1) ?? '') ? served.pop() : undefined;
      if (line === '' || !holdsIn(range, minorNumber(minor))) continue;
      const entry = { apiVersion, group: groupOf(apiVersion), version: versionOf(apiVersion), kind, resource: readResource(served) };
      // Parses the type only on access.
      const known: BuiltInKind = {
        ...entry,
        get type() {
          return types.struct(type);
        },
      };
      this.#byName.set(`${apiVersion} ${kind}`, known);
      if (known.resource !== undefined) this.#byResource.set(`${apiVersion} ${known.resource.plural}`, known);
    }
  }

  /** All built-in kinds of one Kubernetes minor version, in any API version. */
  get all(): Iterable<BuiltInKind> {
    return this.#byName.values();
  }

  /** Returns the kind with an API version and a name. Returns undefined if the Kubernetes minor version has no such built-in kind. */
  kind(apiVersion: string, kind: string): BuiltInKind | undefined {
    return this.#byName.get(`${apiVersion} ${kind}`);
  }

  /**
   * Returns the kind that a resource serves. The resource is given by API version and plural name. Returns undefined if the Kubernetes
   * minor version has no such built-in resource.
   */
  ofResource(apiVersion: string, plural: string): BuiltInKind | undefined {
    return this.#byResource.get(`${apiVersion} ${plural}`);
  }
}

function readResource(served: readonly string[]): BuiltInResource | undefined {
  const [plural, scope, subresources = ''] = served;
  if (plural === undefined) return undefined;
  return { plural, namespaced: scope === 'namespaced', subresources: subresources === '-' ? [] : subresources.split(',') };
}

const tables = new Map<Minor, BuiltInKinds>();

/** Returns the built-in kinds of a Kubernetes minor version. The result is cached. */
export function builtInKinds(minor: Minor): BuiltInKinds {
  let kinds = tables.get(minor);
  if (kinds === undefined) {
    kinds = new BuiltInKinds(minor);
    tables.set(minor, kinds);
  }
  return kinds;
}
