import { required } from '#kube';
import type { JsonObject } from '#go';
import type { SchemaWalk } from './schema-walk.ts';

/** Validates `required`, in declared order. Null counts as present. */
export function checkRequired(value: JsonObject, names: readonly string[], walk: SchemaWalk): void {
  for (const key of names) {
    if (value[key] !== undefined) continue;
    const name = `${walk.name}.${key}`;
    walk.add({ text: `${name} in body is required`, name, toError: (field) => required(field, '') });
  }
}
