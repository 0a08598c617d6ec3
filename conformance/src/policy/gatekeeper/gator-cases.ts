import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, readYaml, splitDocuments, writeJson } from '#go';
import type { JsonObject } from '#go';
import { constraintPolicy } from './constraint-policy.ts';
import { gatorSuite } from './gator-suite.ts';
import type { Assertion, GatorSuite, GatorTest } from './gator-suite.ts';

/** A case of a suite: a case of the oracle's protocol with the assertions about it, or why there is none. */
export type PeerCase =
  | { readonly id: string; readonly requested: JsonObject; readonly assertions: readonly Assertion[] }
  | { readonly id: string; readonly notSupported: string };

/** Returns a suite of `gator verify` if a file holds one. Throws an error for a file that is no YAML. */
export function readGatorSuite(file: string): GatorSuite | undefined {
  const [first] = documentsOf(file);
  const parsed = gatorSuite.safeParse(first === undefined ? undefined : plain(first));
  return parsed.success ? parsed.data : undefined;
}

/** Returns the cases of a suite. Throws an error if a file that it names cannot be read, or holds more than one object where one belongs. */
export function gatorCases(file: string, suite: GatorSuite): readonly PeerCase[] {
  return suite.tests.flatMap((test) => casesOf(suite.skip ? { ...test, skip: true } : test, file));
}

function casesOf(test: GatorTest, file: string): readonly PeerCase[] {
  const idOf = (name: string): string => `${file} ${test.name}: ${name}`;
  if (test.invalid) return [{ id: idOf('invalid'), notSupported: 'the schema of a template is not judged' }];
  const constraint = oneDocument(file, test.constraint);
  const made = constraintPolicy(plain(oneDocument(file, test.template)), plain(constraint));
  const refusal = test.skip ? SKIPPED : test.expansion ? 'expansion templates' : made.ok ? undefined : made.notSupported;
  return test.cases.map(({ name, object, inventory, assertions, skip }): PeerCase => {
    const id = idOf(name);
    if (refusal !== undefined || !made.ok) return { id, notSupported: refusal ?? '' };
    if (skip) return { id, notSupported: SKIPPED };
    const stored = inventory.flatMap((path) => documentsOf(join(dirname(file), path)));
    const namespaces = stored.filter(({ kind }) => kind === 'Namespace');
    const requested = {
      id,
      kind: 'admit',
      crds: [made.definition],
      policies: [made.policy],
      bindings: [made.binding],
      params: [constraint],
      ...(namespaces.length > 0 && { namespaces }),
      ...requestOf(oneDocument(file, object)),
    };
    return { id, requested: requested as unknown as JsonObject, assertions };
  });
}

const SKIPPED = 'the suite skips it';

/** Returns the fields of the request: an AdmissionReview is one, any other object is created. */
function requestOf(document: JsonObject): object {
  const { kind, request } = document;
  if (kind !== 'AdmissionReview' || !isJsonObject(request)) return { object: document };
  const { object, oldObject, operation, userInfo } = request;
  return { object, oldObject, operation, userInfo };
}

function documentsOf(file: string): readonly JsonObject[] {
  return [...splitDocuments(readFileSync(file))].flatMap(({ bytes }) => {
    const reading = readYaml(bytes);
    if (!reading.ok) throw new Error(`${file}: ${reading.error}`);
    return isJsonObject(reading.value) ? [reading.value] : [];
  });
}

function oneDocument(suite: string, path: string): JsonObject {
  const file = join(dirname(suite), path);
  const [first, ...more] = documentsOf(file);
  if (first === undefined || more.length > 0)
    throw new Error(`${file}: expected one object, found ${first === undefined ? 'none' : more.length + 1}`);
  return first;
}

/** Returns a document as plain JavaScript values, for a schema to parse. */
const plain = (document: JsonObject): unknown => JSON.parse(writeJson(document)) as unknown;
