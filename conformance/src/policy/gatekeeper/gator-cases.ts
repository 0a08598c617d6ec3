import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, readStreamPart, splitDocuments, writeJson } from '#go';
import type { JsonObject } from '#go';
import { constraintPolicy } from './constraint-policy.ts';
import { gatorSuite } from './gator-suite.ts';
import type { Assertion, GatorSuite, GatorTest } from './gator-suite.ts';

/** Case of a gator suite: a case of the oracle's protocol with assertions about its verdict, or the reason why it cannot be converted. */
export type PeerCase =
  | { readonly id: string; readonly requested: JsonObject; readonly assertions: readonly Assertion[] }
  | { readonly id: string; readonly notSupported: string };

/** Reads a suite of `gator verify` from a file; undefined if the file contains no suite. Throws an error if the file is not YAML. */
export function readGatorSuite(file: string): GatorSuite | undefined {
  const [first] = documentsOf(file);
  const parsed = gatorSuite.safeParse(first === undefined ? undefined : plain(first));
  return parsed.success ? parsed.data : undefined;
}

/**
 * Returns the cases of a suite. Throws an error if a file named in the suite cannot be read, or if the file contains several objects
 * although only one is allowed.
 */
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

/**
 * Returns the fields of an admission request. If the document is an AdmissionReview, the fields are read from it. Any other document is the
 * object of a create.
 */
function requestOf(document: JsonObject): object {
  const { kind, request } = document;
  if (kind !== 'AdmissionReview' || !isJsonObject(request)) return { object: document };
  const { object, oldObject, operation, userInfo } = request;
  return { object, oldObject, operation, userInfo };
}

function documentsOf(file: string): readonly JsonObject[] {
  return [...splitDocuments(readFileSync(file))].flatMap((part) => {
    const reading = readStreamPart(part);
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

/** Returns a document as plain JavaScript values, so that a schema can parse it. */
const plain = (document: JsonObject): unknown => JSON.parse(writeJson(document)) as unknown;
