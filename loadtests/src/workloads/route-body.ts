import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { PROJECT } from '../places.ts';

const EXAMPLE = join(PROJECT, 'examples/gateway-api');

/** Returns the definition of HTTPRoute as JSON. Its size of about 70 kB is typical of real definitions. */
export const routeDefinition = (): string => JSON.stringify(parse(readFileSync(join(EXAMPLE, 'httproute-crd.yaml'), 'utf8')));

/** Returns an HTTPRoute that its definition accepts. */
export const routeObject = (): string => JSON.stringify(parseAllDocuments(readFileSync(join(EXAMPLE, 'httproutes.yaml'), 'utf8'))[0]);
