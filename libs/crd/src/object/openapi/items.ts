import { scalarList } from '#go';
import type { JsonValue } from '#go';
import type { NodeCheck } from './check.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Validates the elements of a list against `items`. */
export function checkItems(list: readonly JsonValue[], check: NodeCheck, walk: SchemaWalk): void {
  const scalars = scalarList(list);
  if (scalars !== undefined && check.acceptsAll(scalars, list.length, walk)) return;
  const { path } = walk;
  const at = path.length;
  for (let i = 0; i < list.length; i++) {
    walk.polls.step();
    path[at] = i;
    check(list[i] as JsonValue, walk);
  }
  path.length = at;
}
