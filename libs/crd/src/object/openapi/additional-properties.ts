import { invalid } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { NodeCheck } from './check.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Validates `additionalProperties: false`: reports each undeclared field. */
export function forbidAdditional(value: JsonObject, declared: ReadonlySet<string>, walk: SchemaWalk): void {
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    const name = walk.name;
    const text = `${name}.${key} in body is a forbidden property`;
    walk.add({ text, name, toError: (field) => invalid(field, key, text) });
  }
}

/**
 * Validates additional properties against the schema in `additionalProperties`. The paths of additional properties of the root begin with a
 * dot, as in upstream.
 */
export function checkAdditional(value: JsonObject, declared: ReadonlySet<string>, check: NodeCheck, walk: SchemaWalk): void {
  const { path } = walk;
  const at = path.length;
  if (at === 0) walk.rootIsMap = true;
  for (const key of Object.keys(value)) {
    if (declared.has(key)) continue;
    walk.polls.step();
    path[at] = key;
    check(value[key] as JsonValue, walk);
  }
  path.length = at;
  if (at === 0) walk.rootIsMap = false;
}
