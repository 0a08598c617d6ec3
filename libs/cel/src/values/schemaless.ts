import { viewJson } from './json-view.ts';
import type { JsonValue } from '#go';
import type { CelValue } from './value.ts';
import { RawList, RawMap } from './wrap.ts';

/** An object's data without its schema: keys as written, scalars by their JSON type. */
export function withoutSchema(value: CelValue): CelValue {
  return value instanceof RawMap || value instanceof RawList ? viewJson(value.raw as JsonValue) : value;
}
