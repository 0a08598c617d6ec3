import { invalid } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { Correlation } from '../correlate.ts';
import type { NodeCheck } from './check.ts';
import { isTypeMeta } from './properties.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** `additionalProperties: false`. */
export function forbidAdditional(value: JsonObject, declared: ReadonlySet<string>, walk: SchemaWalk): void {
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    const name = walk.name;
    const text = `${name}.${key} in body is a forbidden property`;
    walk.add({ text, name, toError: (field) => invalid(field, key, text) });
  }
}

/** `additionalProperties` with a schema. At the root the path begins with a dot, as upstream's does. */
export function checkAdditional(
  value: JsonObject,
  declared: ReadonlySet<string>,
  check: NodeCheck,
  walk: SchemaWalk,
  correlation: Correlation | undefined,
): void {
  const root = walk.path.length === 0;
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    walk.polls.step();
    walk.path.push(`.${key}`);
    check(value[key] as JsonValue, walk, root && isTypeMeta(key) ? undefined : correlation?.field(key));
    walk.path.pop();
  }
}
