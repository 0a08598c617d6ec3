import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, newJsonObject, readJson, readFirstDocument, writeJson } from '#go';
import type { JsonObject } from '#go';
import { PROJECT, SHARED } from '../places.ts';
import { LARGE_APPS, largeAppsBody } from './large-apps.ts';
import { KEP_LISTS, listBody, listDefinition } from './list-workload.ts';

/** A definition with bodies of accepted objects. */
export interface ObjectCase {
  readonly name: string;
  readonly definition: JsonObject;
  readonly version: string;
  readonly bodies: readonly Buffer[];
}

/** Folder with recorded objects of real definitions. It may be absent. */
export const CORPORA = resolve(SHARED, 'corpora');
const EXAMPLE = resolve(PROJECT, 'examples/gateway-api');
const SUITES_FOLDER = resolve(CORPORA, 'suites');
const SUITES: readonly [name: string, suite: string, definition: string][] = [
  ['HTTPRoute', 'gateway-api', 'suites/crds/kubernetes-sigs__gateway-api/gateway.networking.k8s.io_httproutes.2.yaml'],
  ['NodePool (Karpenter)', 'presumed-accept', 'suites/crds/aws__karpenter-provider-aws/karpenter.sh_nodepools.yaml'],
  ['NodePool (Karpenter)', 'misc-go', 'suites/crds/aws__karpenter-provider-aws/karpenter.sh_nodepools.yaml'],
  ['ClusterMonitoring', 'openshift-api', 'suites/crds/openshift__api/0000_10_config-operator_01_clustermonitorings.crd.yaml'],
];

/** Returns the available cases: the example and the KEP's lists, and real definitions if the corpora are beside the project. */
export function objectCases(): ObjectCase[] {
  const real = SUITES.flatMap(([name, suite, file]) =>
    casesOf(acceptedCreates(`${suite}.jsonl`, file))
      .slice(0, 1)
      .map((one) => ({ ...one, name })),
  );
  const lists = KEP_LISTS.map((workload) => ({
    name: `list ${workload.name}`,
    definition: listDefinition(workload) as JsonObject,
    version: 'v1',
    bodies: [Buffer.from(listBody(workload))],
  }));
  const large = { name: 'an object of 1 MB', definition: LARGE_APPS, version: 'v1', bodies: [largeAppsBody(5500)] };
  return [...(real.some(({ name }) => name === 'HTTPRoute') ? [] : [exampleCase()]), ...real, large, ...lists];
}

/**
 * Returns all objects that the test suites of the corpora create and that a server accepted, by definition and version. Returns an empty
 * list if there are no corpora.
 */
export function corpusCases(): ObjectCase[] {
  const suites = existsSync(SUITES_FOLDER) ? readdirSync(SUITES_FOLDER).filter((entry) => entry.endsWith('.jsonl')) : [];
  return casesOf(suites.flatMap((suite) => acceptedCreates(suite)));
}

/** Object whose creation a server accepted, with the file of its definition. */
interface AcceptedCreate {
  readonly file: string;
  readonly apiVersion: string;
  readonly object: JsonObject;
}

function casesOf(creates: readonly AcceptedCreate[]): ObjectCase[] {
  const groups = Map.groupBy(creates, ({ file, apiVersion }) => `${file} ${apiVersion}`);
  return Array.from(groups, ([name, group]) => {
    const { file, apiVersion } = group[0] as AcceptedCreate;
    return {
      name,
      definition: yamlObject(resolve(CORPORA, file)),
      version: apiVersion.slice(apiVersion.indexOf('/') + 1),
      bodies: group.map(({ object }) => Buffer.from(writeJson(named(object)))),
    };
  });
}

/**
 * Returns the objects whose creation a server accepted in a suite, for one definition or for all. Returns an empty list if the suite is not
 * available.
 */
function acceptedCreates(suite: string, wanted = ''): AcceptedCreate[] {
  const path = resolve(SUITES_FOLDER, suite);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines
    .filter((line) => line.includes(wanted))
    .flatMap((line) => acceptedCreate(line) ?? [])
    .filter(({ file }) => wanted === '' || file === wanted);
}

/**
 * Returns the object that a line of a suite creates, if a server accepted it and the line does not patch the definition. Returns undefined
 * for any other line.
 */
function acceptedCreate(line: string): AcceptedCreate | undefined {
  const reading = readJson(line);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { verdict, op, crdFile, crdPatches, initial } = reading.value;
  if (!String(verdict).startsWith('accept') || op !== 'create' || typeof crdFile !== 'string' || crdPatches !== undefined) return undefined;
  if (!isJsonObject(initial) || typeof initial['apiVersion'] !== 'string') return undefined;
  return existsSync(resolve(CORPORA, crdFile)) ? { file: crdFile, apiVersion: initial['apiVersion'], object: initial } : undefined;
}

/**
 * Gives an object a name if it has none, and returns it. Objects in suites may have no name, because the test harness of the suite adds
 * one, but a server requires a name.
 */
function named(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : newJsonObject();
  metadata['name'] ??= 'one';
  object['metadata'] = metadata;
  return object;
}

const exampleCase = (): ObjectCase => ({
  name: 'HTTPRoute',
  definition: yamlObject(resolve(EXAMPLE, 'httproute-crd.yaml')),
  version: 'v1',
  bodies: [Buffer.from(writeJson(yamlObject(resolve(EXAMPLE, 'httproutes.yaml'))))],
});

/** Returns the JSON schema of a version of a definition; undefined if the version does not exist or has no schema. */
export function schemaOfVersion(definition: JsonObject, version: string): object | undefined {
  const { spec } = JSON.parse(writeJson(definition)) as { spec: { versions: { name: string; schema?: { openAPIV3Schema?: object } }[] } };
  return spec.versions.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}

/** Reads an object from a YAML file. Throws if the file does not contain an object. */
export function yamlObject(file: string): JsonObject {
  const reading = readFirstDocument(readFileSync(file));
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error(`${file} cannot be read`);
  return reading.value;
}
