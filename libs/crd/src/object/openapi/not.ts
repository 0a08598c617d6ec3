import type { JsonValue } from '#go';
import { reportSummary } from './any-of.ts';
import type { NodeCheck } from './check.ts';
import type { SchemaWalk } from './schema-walk.ts';

/** Validates `not`: reports a finding about the whole value if the value meets the schema `branch`. */
export function checkNot(value: JsonValue, branch: NodeCheck, walk: SchemaWalk): void {
  if (walk.isolate(() => branch(value, walk)).findings.length === 0) reportSummary(walk, 'must not validate the schema (not)');
}
