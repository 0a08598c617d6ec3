import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, readYaml, writeJson } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { PROJECT } from '../places.ts';
import { parsed } from '../workloads/judging.ts';
import { LARGE_APPS, largeAppsBody } from '../workloads/large-apps.ts';
import { KEP_LISTS, listBody, listDefinition } from '../workloads/list-workload.ts';
import { yamlObject } from '../workloads/object-cases.ts';
import { SMALL_DEFINITION, smallObjects } from '../workloads/request-bodies.ts';

/**
 * Objects whose creation is validated while the work is counted. A generated reader or the exact validation handles each object. All
 * objects are in files of the project.
 */
export interface ReadingCase {
  readonly name: string;
  readonly definition: JsonObject;
  readonly bodies: readonly Uint8Array[];
  /** Engine of the definition. `compiled` generates code immediately. `adaptive` generates code when this saves time, as in the product. */
  readonly engine: 'compiled' | 'adaptive';
  /** Expected number of objects that a generated reader validates: all, none, or the number in the baseline. */
  readonly expected: 'all read' | 'none read' | 'as counted';
}

const EXAMPLES = join(PROJECT, 'examples');

/**
 * Returns the cases: HTTPRoutes, small objects, long lists, the objects of the examples, and objects that no generated reader may validate.
 */
export function readingCases(): ReadingCase[] {
  const definition = exampleOf('gateway-api/httproute-crd.yaml');
  const route = exampleOf('gateway-api/httproutes.yaml');
  const read = { engine: 'compiled', expected: 'all read' } as const;
  const routes = (name: string, change: (copy: Plain) => unknown, expected: ReadingCase['expected'] = 'all read'): ReadingCase => ({
    ...read,
    name: `HTTPRoute: ${name}`,
    definition,
    bodies: [bytesOf(changed(route, change))],
    expected,
  });
  const described = (name: string, more: object): ReadingCase => routes(name, ({ metadata }) => Object.assign(metadata, more));
  return [
    routes('as it is written', () => undefined),
    described('labels and annotations', { labels: { app: 'shop' }, annotations: { 'example.com/note': 'a' } }),
    described('metadata as a cluster writes it', CLUSTER_METADATA),
    described('a label that is not ASCII', { annotations: { note: 'grün' } }),
    described('an escape in a text', { annotations: { note: 'a "word"' } }),
    routes('twelve rules', ({ spec }) => Object.assign(spec, { rules: Array.from({ length: 12 }, () => spec['rules']).flat() })),
    routes('an unknown field', ({ spec }) => Object.assign(spec, { unknown: 1 }), 'none read'),
    routes('refused by a keyword', ({ spec }) => Object.assign(spec, { hostnames: ['not a host'] }), 'none read'),
    {
      name: '400 HTTPRoutes, code generated when it pays',
      definition,
      bodies: Array.from({ length: 400 }, (_, i) => bytesOf(changed(route, ({ metadata }) => Object.assign(metadata, { name: `r${i}` })))),
      engine: 'adaptive',
      expected: 'as counted',
    },
    { ...read, name: '100 small objects', definition: SMALL_DEFINITION, bodies: smallObjects(100).map((text) => Buffer.from(text)) },
    { ...read, name: 'an object of 500 apps', definition: LARGE_APPS, bodies: [largeAppsBody(500)] },
    ...KEP_LISTS.map((list) => ({
      ...read,
      name: `list ${list.name}`,
      definition: listDefinition(list) as JsonObject,
      bodies: [Buffer.from(listBody(list))],
    })),
    ...suiteCases(),
  ];
}

/** Returns the objects that the suites of the examples create, with one case for each folder. */
function suiteCases(): ReadingCase[] {
  return readdirSync(EXAMPLES)
    .toSorted()
    .flatMap((folder): ReadingCase[] => {
      const files = readdirSync(join(EXAMPLES, folder));
      if (!files.includes('crd.yaml') || !files.includes('suite.yaml')) return [];
      const suite = plainOf(exampleOf(`${folder}/suite.yaml`)) as { tests?: { onCreate?: { initial?: string }[] } };
      const bodies = (suite.tests?.onCreate ?? []).flatMap(({ initial }) => {
        const reading = initial === undefined ? undefined : readYaml(Buffer.from(initial));
        if (!reading?.ok || !isJsonObject(reading.value)) return [];
        return [bytesOf(changed(reading.value, (copy) => (copy.metadata = { name: 'one', ...copy.metadata })))];
      });
      const definition = exampleOf(`${folder}/crd.yaml`);
      return bodies.length === 0 ? [] : [{ name: `examples/${folder}`, definition, bodies, engine: 'compiled', expected: 'as counted' }];
    });
}

/** The metadata that a server adds to a stored object, in the form in which clients send it back. */
const CLUSTER_METADATA = {
  namespace: 'default',
  uid: '0b0f8a60-0000-4000-8000-000000000001',
  creationTimestamp: '2026-11-22T09:00:00Z',
  generation: 3,
  labels: { 'app.kubernetes.io/name': 'shop' },
  annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'none' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: '0b0f8a60-0000-4000-8000-000000000002' }],
};

/** An object as plain JavaScript. */
interface Plain {
  metadata: Record<string, unknown>;
  spec: Record<string, unknown>;
}

const plainOf = (value: JsonValue): unknown => JSON.parse(writeJson(value));

function changed(object: JsonObject, change: (copy: Plain) => unknown): JsonObject {
  const copy = plainOf(object) as Plain;
  change(copy);
  return parsed(copy);
}

const bytesOf = (object: JsonObject): Uint8Array => Buffer.from(writeJson(object, { escapeHtml: false, keys: 'own' }));

/** Returns the first document of a file of the examples. */
export const exampleOf = (file: string): JsonObject => yamlObject(join(EXAMPLES, file));
