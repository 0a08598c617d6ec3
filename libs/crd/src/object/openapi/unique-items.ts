import { deepEqualJson } from '#go';
import { invalid } from '#kube';
import type { JsonValue } from '#go';
import { areDistinct } from '../write/distinct.ts';
import type { SchemaWalk } from './schema-walk.ts';

/**
 * Validates `uniqueItems`. New definitions must not contain this keyword, but it is enforced if a stored definition contains it. Source:
 * kube-openapi pkg/validation/validate/values.go.
 */
export function checkUniqueItems(list: readonly JsonValue[], walk: SchemaWalk): void {
  if (areDistinct(list) || !hasTwins(list, walk)) return;
  const name = walk.name;
  const text = `${name} in body shouldn't contain duplicates`;
  walk.add({ text, name, toError: (field) => invalid(field, '', text) });
}

function hasTwins(list: readonly JsonValue[], walk: SchemaWalk): boolean {
  return list.some((item, i) => {
    for (let j = 0; j < i; j++) {
      walk.polls.step();
      if (deepEqualJson(item, list[j])) return true;
    }
    return false;
  });
}
