import type { JsonObject } from '#go';
import type { NodeCheck } from './check.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Name and check of one declared property. */
export interface PropertyCheck {
  readonly key: string;
  readonly check: NodeCheck;
}

/** Validates the declared `properties` that are present in an object. */
export function checkProperties(value: JsonObject, properties: readonly PropertyCheck[], walk: SchemaWalk): void {
  const { path } = walk;
  const at = path.length;
  for (const { key, check } of properties) {
    const child = value[key];
    if (child === undefined) continue;
    path[at] = key;
    check(child, walk);
  }
  path.length = at;
}
