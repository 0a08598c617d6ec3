import { load, loadAll } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../places.ts';

const EXAMPLE = join(PROJECT, 'examples/gateway-api');

/** Returns the definition of HTTPRoute as JSON, some 70 kB: a definition as large as real ones are. */
export const routeDefinition = (): string => JSON.stringify(load(readFileSync(join(EXAMPLE, 'httproute-crd.yaml'), 'utf8')));

/** Returns an HTTPRoute that its definition accepts. */
export const routeObject = (): string => JSON.stringify(loadAll(readFileSync(join(EXAMPLE, 'httproutes.yaml'), 'utf8'))[0]);
