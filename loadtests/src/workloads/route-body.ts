import { load, loadAll } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';

/** Counts of lines are multiples of it. */
const LINES_PER_BLOCK = 1000;
const EXAMPLE = join(PROJECT, 'examples/gateway-api');

/** The definition of HTTPRoute as JSON, some 70 kB: a definition as large as real ones are. */
export const routeDefinition = (): string => JSON.stringify(load(readFileSync(join(EXAMPLE, 'httproute-crd.yaml'), 'utf8')));

/** An HTTPRoute that its definition accepts. */
export const routeObject = (): string => JSON.stringify(loadAll(readFileSync(join(EXAMPLE, 'httproutes.yaml'), 'utf8'))[0]);

/** Lines of an NDJSON body: the definition, then so many HTTPRoutes, in blocks. */
export function* routeLines(count: number): Generator<string> {
  yield `{"definitions":[${routeDefinition()}]}\n`;
  const block = `${routeObject()}\n`.repeat(LINES_PER_BLOCK);
  for (let sent = 0; sent < count; sent += LINES_PER_BLOCK) yield block;
}
