import type { JsonObject } from '#go';
import type { Correlation } from '../correlate.ts';
import type { NodeCheck } from './check.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** The check of one declared property, with its name as it appears in paths. */
export interface PropertyCheck {
  readonly key: string;
  readonly dotted: string;
  readonly check: NodeCheck;
}

/** Fields of the root that have no old value. Source: pkg/apiserver/validation/ratcheting.go `isTypeMetaField` (1.37). */
export function isTypeMeta(key: string): boolean {
  return key === 'kind' || key === 'apiVersion';
}

/** `properties`: the declared ones that are there. apiVersion and kind of the root have no old value. */
export function checkProperties(
  value: JsonObject,
  properties: readonly PropertyCheck[],
  walk: SchemaWalk,
  correlation: Correlation | undefined,
): void {
  for (const { key, dotted, check } of properties) {
    const child = value[key];
    if (child === undefined) continue;
    const root = walk.path.length === 0;
    walk.path.push(root ? key : dotted);
    check(child, walk, root && isTypeMeta(key) ? undefined : correlation?.field(key));
    walk.path.pop();
  }
}
