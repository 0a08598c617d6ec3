import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isJsonObject, readYaml, splitDocuments, writeJson } from '#kube';
import type { JsonObject } from '#kube';
import { problemsOf } from '#evaluation';
import { UsageError } from '../usage.ts';
import { suiteSchema } from './suite.ts';
import type { Suite } from './suite.ts';

/** A suite with the definition it is about. */
export interface LoadedSuite {
  readonly file: string;
  readonly suite: Suite;
  readonly definition: JsonObject;
}

/** Suites end in `testsuite.yaml`, or carry `tests:` with onCreate or onUpdate. */
const SUITE_FILE = /(testsuite|suite)\.ya?ml$/;

/** Loads all suites of files and folders; throws {@link UsageError} where a suite, or its definition, cannot be used. */
export function loadSuites(paths: readonly string[]): LoadedSuite[] {
  const files = paths.flatMap((path) => (isFolder(path) ? suiteFiles(path) : [path]));
  if (files.length === 0) throw new UsageError(`no suites were found in ${paths.join(', ')} (files named …suite.yaml)`);
  return files.map(loadSuite);
}

function loadSuite(file: string): LoadedSuite {
  const reading = readYaml(readFileSync(file));
  if (!reading.ok) throw new UsageError(`${file}: ${reading.error}`);
  const parsed = suiteSchema.safeParse(JSON.parse(writeJson(reading.value)));
  if (!parsed.success) throw new UsageError(`${file}: ${problemsOf(parsed.error, 'suite').join('; ')}`);
  return { file, suite: parsed.data, definition: definitionOf(parsed.data, file) };
}

function definitionOf({ crd, crdName }: Suite, file: string): JsonObject {
  const folder = dirname(resolve(file));
  const candidates = crd === undefined ? documentsBeside(folder) : documentsOf(resolve(folder, crd));
  const found = candidates.filter(
    (document) => document['kind'] === 'CustomResourceDefinition' && (crdName === undefined || nameOf(document) === crdName),
  );
  const [definition] = found;
  if (!definition)
    throw new UsageError(`${file}: no CustomResourceDefinition${crdName === undefined ? '' : ` ${crdName}`} in ${crd ?? 'its folder'}`);
  if (found.length > 1) throw new UsageError(`${file}: several CustomResourceDefinitions fit; name one by crdName or crd`);
  return definition;
}

function documentsBeside(folder: string): JsonObject[] {
  return readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name) && !SUITE_FILE.test(name))
    .sort()
    .flatMap((name) => documentsOf(join(folder, name)));
}

function documentsOf(file: string): JsonObject[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${file}: no such file`);
  }
  return splitDocuments(text).flatMap((part) => {
    const reading = readYaml(part.text);
    return reading.ok && isJsonObject(reading.value) ? [reading.value] : [];
  });
}

function nameOf(document: JsonObject): string | undefined {
  const metadata = document['metadata'];
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function suiteFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => SUITE_FILE.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    throw new UsageError(`${path}: no such file or folder`);
  }
}
