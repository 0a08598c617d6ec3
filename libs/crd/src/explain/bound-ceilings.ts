import { Cancelled } from '#go';
import type { CancellationToken } from '#go';
import { LATEST_MINOR } from '#kube';
import type { Minor, Server } from '#kube';
import { readLeniently } from '../definition/admission/read-definition.ts';
import type { RecentDefinitions } from '../schema/recent-definitions.ts';
import { fieldsText } from '../schema/schema-path.ts';
import type { SchemaPath } from '../schema/schema-path.ts';
import type { SchemaProps } from '../schema/schema-props.ts';
import { MAX_BOUND } from './bound-values.ts';
import { boundAt } from './bounds.ts';
import type { SchemaBound } from './bounds.ts';
import { servedSchemas } from './explain-definition.ts';
import type { LimitedCost } from './limited-cost.ts';
import { VersionCosts } from './version-costs.ts';

/**
 * Limit of a bound: a larger value makes a server refuse the definition. All other bounds keep their values.
 *
 * - `limited`: `highest` is the largest value with which all costs are within their limits. `by` is the cost that a larger value exceeds.
 * - `unlimited`: no value up to {@link MAX_BOUND} brings a cost over its limit. A request holds no larger value.
 * - `refused`: the server refuses the definition with every value, because of the cost `by`.
 */
export type Ceiling =
  | { readonly kind: 'limited'; readonly highest: bigint; readonly by: LimitedCost }
  | { readonly kind: 'unlimited' }
  | { readonly kind: 'refused'; readonly by: LimitedCost };

/** Ceiling of a bound in one version of a definition and one Kubernetes minor version. */
export interface BoundCeiling {
  readonly version: string;
  readonly minor: Minor;
  readonly bound: SchemaBound;
  readonly ceiling: Ceiling;
  /** True if all costs of the version are within their limits with the present bound. */
  readonly fitsNow: boolean;
}

/** Bound of a definition, and the servers for which its ceiling is searched. */
export interface CeilingQuestion {
  /** Field with the bound, such as `spec.rules[*].name`, or `(root)`. */
  readonly field: string;
  readonly servers: readonly Server[];
  readonly recent: RecentDefinitions;
  readonly token?: CancellationToken | undefined;
}

/**
 * Returns, for each server and each version with the field, how far the bound of a field may rise. The bound is `maxItems` for a list,
 * `maxProperties` for a map and `maxLength` for a text. The list is empty if no version has such a field. Throws `Cancelled` if the token
 * requests cancellation.
 */
export function boundCeilings(document: Uint8Array | string, { field, servers, recent, token }: CeilingQuestion): readonly BoundCeiling[] {
  const requested = readLeniently(document, { recent });
  if (requested === undefined) return [];
  return servers.flatMap((server) =>
    servedSchemas(requested, server).flatMap((served) => {
      if (token?.cancelled === true) throw new Cancelled();
      const path = pathOf(served.schema, field);
      // An older server may ignore the bound. Then the bound of the latest version counts, and no value of it can exceed a limit.
      const bound = path && (boundAt(served.schema, path, 'size', server.minor) ?? boundAt(served.schema, path, 'size', LATEST_MINOR));
      if (bound === undefined) return [];
      const { expressions, total } = new VersionCosts(served);
      const costs = [...expressions, total];
      const fitsNow = costs.every(({ cost, limit }) => cost <= limit);
      return [{ version: served.version, minor: server.minor, bound, ceiling: ceilingOf(bound, costs, token), fitsNow }];
    }),
  );
}

function ceilingOf(bound: SchemaBound, costs: readonly LimitedCost[], token: CancellationToken | undefined): Ceiling {
  const dependent = costs.filter(({ bounds }) => bounds.some(({ fields }) => fields === bound.fields));
  const independent = costs.find((cost) => !dependent.includes(cost) && cost.cost > cost.limit);
  if (independent !== undefined) return { kind: 'refused', by: independent };
  const exceeding = (value: bigint): LimitedCost | undefined => {
    if (token?.cancelled === true) throw new Cancelled();
    return dependent.find(({ costWith, limit }) => costWith([{ bound, value }]) > limit);
  };
  const always = exceeding(1n);
  if (always !== undefined) return { kind: 'refused', by: always };
  if (exceeding(MAX_BOUND) === undefined) return { kind: 'unlimited' };
  let highest = 1n;
  let refused = MAX_BOUND;
  while (refused - highest > 1n) {
    const middle = (highest + refused) >> 1n;
    if (exceeding(middle) === undefined) highest = middle;
    else refused = middle;
  }
  const by = exceeding(refused);
  return by === undefined ? { kind: 'unlimited' } : { kind: 'limited', highest, by };
}

/** Returns the path of the schema node that describes a field, such as `spec.rules[*].name`; undefined if there is none. */
function pathOf(schema: SchemaProps, field: string, path: SchemaPath = []): SchemaPath | undefined {
  const text = fieldsText(path);
  if (text === field) return path;
  if (path.length > 0 && !field.startsWith(text)) return undefined;
  for (const [name, child] of schema.properties ?? []) {
    const found = pathOf(child, field, [...path, { kind: 'property', name }]);
    if (found !== undefined) return found;
  }
  for (const kind of ['items', 'additionalProperties'] as const) {
    const child = schema[kind]?.schema;
    const found = child && pathOf(child, field, [...path, { kind }]);
    if (found !== undefined) return found;
  }
  return undefined;
}
