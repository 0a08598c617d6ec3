import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isJsonObject, readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import type { JsonObject } from '#go';
import type { CelType, Environment } from '#cel';
import { makeEnvironment } from '../../../libs/cel/src/language/environment.ts';
import { FUNCTIONS } from '../../../libs/cel/src/library/all.ts';
import type { FunctionDeclaration } from '../../../libs/cel/src/library/define.ts';
import { readType } from '../cel/read-type.ts';
import { SHARED } from '../shared-folder.ts';

/** Assay's name for each upstream library that Kubernetes uses, by upstream's name. */
const LIBRARIES: Readonly<Record<string, string>> = {
  optional: 'optionals',
  'cel.lib.ext.strings': 'strings',
  'cel.lib.ext.lists': 'lists',
  'cel.lib.ext.sets': 'sets',
  'cel.lib.ext.comprev2': 'comprehensions',
};

/** The CEL environment in which recorded expressions were evaluated. */
export interface RecordedEnvironment {
  readonly environment: Environment;
  readonly variables: ReadonlyMap<string, CelType>;
  /** Libraries of the recorded environment that Kubernetes does not have, or has in another version. */
  readonly foreign: readonly string[];
}

let recorded: ReadonlyMap<string, JsonObject> | undefined;

function recordedEnvironments(): ReadonlyMap<string, JsonObject> {
  if (recorded !== undefined) return recorded;
  const lines = gunzipSync(readFileSync(join(SHARED, 'upstream/cel-environments.jsonl.gz')))
    .toString('utf8')
    .trim()
    .split('\n');
  const environments = lines.flatMap((line) => {
    const reading = readJson(Buffer.from(line));
    return reading.ok && isJsonObject(reading.value) ? [reading.value] : [];
  });
  const byKey = new Map(environments.map((environment) => [String(environment['env']), environment]));
  recorded = byKey;
  return byKey;
}

const made = new Map<string, RecordedEnvironment>();

/** Returns the recorded environment with the given key. Returns undefined if the table has no such environment. */
export function recordedEnvironment(key: string): RecordedEnvironment | undefined {
  const known = made.get(key);
  if (known !== undefined) return known;
  const line = recordedEnvironments().get(key);
  if (line === undefined) return undefined;
  const extensions = (line['extensions'] ?? []) as JsonObject[];
  const environment: RecordedEnvironment = {
    environment: makeEnvironment(functionsOf(extensions), LATEST_MINOR, 'stored'),
    variables: new Map(Object.entries((line['variables'] ?? {}) as Record<string, string>).map(([name, type]) => [name, readType(type)])),
    foreign: extensions.filter(isForeign).map(({ name, version }) => `${String(name)}@${String(version)}`),
  };
  made.set(key, environment);
  return environment;
}

/**
 * Libraries that Kubernetes' rules do not have, and that nevertheless do not prevent a comparison. Recorded expressions that call functions
 * of these libraries are recognised by the function names.
 */
const HARMLESS: ReadonlySet<string> = new Set(['kubernetes.jsonpatch']);

const libraryOf = (extension: JsonObject): string => LIBRARIES[String(extension['name'])] ?? String(extension['name']);
const OWN_LIBRARIES: ReadonlySet<string> = new Set(FUNCTIONS.map(({ library }) => library));
/** Version of the strings library that Kubernetes uses. Other versions differ in a few functions. */
const STRINGS_VERSION = '2';

function isForeign(extension: JsonObject): boolean {
  const library = libraryOf(extension);
  if (HARMLESS.has(library)) return false;
  return !OWN_LIBRARIES.has(library) || (library === 'strings' && extension['version'] !== STRINGS_VERSION);
}

function functionsOf(extensions: readonly JsonObject[]): FunctionDeclaration[] {
  const libraries = new Set(['standard', ...extensions.map(libraryOf)]);
  return FUNCTIONS.filter(({ library }) => libraries.has(library));
}
