import { basename, dirname, join, resolve } from 'node:path';
import { isCompositeDefinition, mayBeComposite, mayBeMade } from '#kube';
import { readSlice } from '#documents';
import type { DocumentSlice } from '#documents';
import { isJsonObject, readStreamPart, splitDocuments, readYaml } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Engine } from '#runner';
import { isThere, statsOf } from '../files/file-access.ts';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-problem.ts';
import { UsageError } from '../usage.ts';
import type { Suite } from './suite.ts';
import { documentsOf } from '../documents/read-documents.ts';
import type { InputFile } from '../documents/read-inputs.ts';

/** Definition, and the file that contains it. */
export interface DefinitionInFile {
  readonly file: string;
  readonly definition: JsonObject;
}

/** Folder in openshift/api with the definitions of the suites in `tests/<crdName>/`. */
const GENERATED = '../../zz_generated.crd-manifests';

/**
 * Returns the definitions for a test suite. They come from the file that the suite names. If the suite names none, they come from the
 * suite's folder, or else from the folder with generated definitions in openshift/api. If several definitions are found, they must have the
 * same name. Throws {@link UsageError} if there is no definition, or if names differ.
 */
export async function findDefinitions(
  { crd, crdName }: Suite,
  suiteFile: string,
  access: FileAccess,
  host: Engine,
): Promise<DefinitionInFile[]> {
  const folder = dirname(resolve(suiteFile));
  const generated = join(folder, GENERATED);
  const places =
    crd === undefined ? [folder, ...(isThere(generated) && access.reaches(generated) ? [generated] : [])] : [resolve(folder, crd)];
  const unreadable: string[] = [];
  const seen = new Set<string>();
  for (const place of places) {
    const all: DefinitionInFile[] = [];
    for (const file of crd === undefined ? filesIn(place, access) : [place])
      all.push(...(await definitionsOf(file, access, unreadable, host)));
    const found = all.filter(({ definition }) => crdName === undefined || nameOf(definition) === crdName);
    const names = new Set(found.map(({ definition }) => nameOf(definition)));
    if (names.size > 1)
      throw new UsageError(`${suiteFile}: several CustomResourceDefinitions fit (${[...names].join(', ')}); name one by crdName`);
    if (found.length > 0) return found;
    for (const { definition } of all) seen.add(nameOf(definition));
  }
  const wanted = `${suiteFile}: no CustomResourceDefinition${crdName === undefined ? '' : ` ${crdName}`} in ${crd ?? 'its folder'}`;
  throw new UsageError(
    [
      wanted,
      ...(seen.size > 0 ? [`there: ${[...seen].sort().join(', ')}`] : []),
      ...unreadable.map((text) => `not readable: ${text}`),
    ].join('; '),
  );
}

function filesIn(folder: string, access: FileAccess): string[] {
  const names = access.names(folder);
  if (!names.ok) throw new UsageError(`${folder}: ${names.problem}`);
  return names.content
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => !isFolder(file));
}

function isFolder(path: string): boolean {
  const stats = statsOf(path);
  return stats.ok && stats.content.isDirectory();
}

/** Returns the definitions in a file. Crossplane makes some of them of CompositeResourceDefinitions. */
async function definitionsOf(file: string, access: FileAccess, unreadable: string[], host: Engine): Promise<DefinitionInFile[]> {
  const read = access.read(file, FILE_LIMITS.source);
  if (!read.ok) throw new UsageError(`${file}: ${read.problem}`);
  const found: DefinitionInFile[] = [];
  let hasComposite = false;
  for (const part of splitDocuments(read.content)) {
    access.poll();
    const reading = readStreamPart(part);
    if (!reading.ok) unreadable.push(`${basename(file)}: ${reading.error}`);
    if (!reading.ok || !isJsonObject(reading.value)) continue;
    const { apiVersion, kind } = reading.value;
    if (kind === 'CustomResourceDefinition') found.push({ file, definition: reading.value });
    hasComposite ||= isCompositeDefinition(apiVersion, kind);
  }
  for (const slice of hasComposite ? await madeDefinitions({ name: file, bytes: read.content }, host) : []) {
    const made = slice.notation === 'unread' ? undefined : readSlice(slice);
    if (made?.ok === true && isJsonObject(made.value)) found.push({ file, definition: made.value });
    else unreadable.push(`${basename(file)}: ${slice.notation === 'unread' ? Buffer.from(slice.bytes).toString() : 'no definition'}`);
  }
  return found;
}

function nameOf(definition: JsonObject): string {
  const metadata = definition['metadata'];
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/**
 * Returns the definitions that Crossplane makes of the CompositeResourceDefinitions in a file. Returns an empty list for files without
 * CompositeResourceDefinitions.
 */
async function madeDefinitions(input: InputFile, host: Engine): Promise<readonly DocumentSlice[]> {
  if (!mayBeComposite(input.bytes)) return [];
  const { definitions } = await documentsOf([input], host);
  return definitions.map(({ slice }) => slice).filter(mayBeMade);
}

/**
 * Annotations in an OpenShift release. They distinguish the variants of a definition from each other, and also the manifests that list the
 * enabled feature gates.
 */
const FEATURE_SET = 'release.openshift.io/feature-set';
const MAJOR_VERSION = 'release.openshift.io/major-version';
const CLUSTER_PROFILE = 'include.release.openshift.io/';
/** Feature set in which every feature gate may be enabled. */
const CUSTOM = 'CustomNoUpgrade';
/** Feature set of a document that names no feature set. */
const DEFAULT = 'Default';
/**
 * Path of the folder with the manifests that list the enabled gates for each cluster profile and feature set. The path is relative to an
 * ancestor folder of the suites.
 */
const GATE_MANIFESTS = 'payload-manifests/featuregates';

/**
 * Returns the variants (generated files) of a definition that were generated with the feature gates that a suite requires. If the suite
 * requires no gates, returns all variants. A variant without an annotation for a cluster profile is always kept. Source: openshift/api
 * tests/crd_filter.go, and hypershift's, whose definitions may be of several feature sets.
 * @throws {UsageError} if it is unknown with which gates a variant was generated, or if no variant is left
 */
export function chooseVariants(
  variants: readonly DefinitionInFile[],
  gates: readonly string[],
  suiteFile: string,
  access: FileAccess,
): readonly DefinitionInFile[] {
  if (gates.length === 0) return variants;
  const chosen = variants.filter((variant) => wasMadeWith(variant, gates, suiteFile, access));
  if (chosen.length === 0) throw new UsageError(`${suiteFile}: no variant of the definition was made with ${gates.join(', ')}`);
  return chosen;
}

function wasMadeWith({ file, definition }: DefinitionInFile, gates: readonly string[], suiteFile: string, access: FileAccess): boolean {
  const annotations = annotationsOf(definition);
  const featureSets = new Set((annotations.get(FEATURE_SET) ?? DEFAULT).split(','));
  if (featureSets.has(CUSTOM)) return !gates.some((gate) => gate.startsWith('-'));
  const [profile] = [...annotations.keys()].filter((key) => key.startsWith(CLUSTER_PROFILE) && annotations.get(key) === 'true').sort();
  if (profile === undefined) return true;
  const manifests = manifestsAbove(suiteFile, access);
  const states = gateStates(manifests, profile, featureSets, numbersOf(annotations.get(MAJOR_VERSION)));
  return gates.every((gate) => {
    const off = gate.startsWith('-');
    const state = states?.get(off ? gate.slice(1) : gate);
    if (state === undefined)
      throw new UsageError(`${suiteFile}: no manifest in ${GATE_MANIFESTS} above it says whether ${gate} is on in ${file}`);
    return state !== off;
  });
}

/**
 * Returns the state of each feature gate, from the first manifest that has the profile and any of the feature sets. If `versions` is not
 * empty, the manifest must also have any of these versions. Returns undefined if there is no such manifest.
 */
function gateStates(
  manifests: readonly JsonObject[],
  profile: string,
  featureSets: ReadonlySet<string>,
  versions: ReadonlySet<number>,
): ReadonlyMap<string, boolean> | undefined {
  for (const manifest of manifests) {
    const annotations = annotationsOf(manifest);
    const featureSet = annotations.get(FEATURE_SET) ?? (memberOf(manifest['spec'], 'featureSet') as string | undefined);
    const isOfVersion = versions.size === 0 || [...numbersOf(annotations.get(MAJOR_VERSION))].some((version) => versions.has(version));
    if (!annotations.has(profile) || !featureSets.has(featureSet || DEFAULT) || !isOfVersion) continue;
    const [state] = listAt(memberOf(manifest['status'], 'featureGates'));
    const names = (list: string): string[] =>
      listAt(memberOf(state, list)).flatMap((gate) => {
        const name = memberOf(gate, 'name');
        return typeof name === 'string' ? [name] : [];
      });
    return new Map([...names('enabled').map((name) => [name, true] as const), ...names('disabled').map((name) => [name, false] as const)]);
  }
  return undefined;
}

/** Returns the manifests in the nearest folder with manifests above a suite, inside the suite's repository. */
function manifestsAbove(suiteFile: string, access: FileAccess): JsonObject[] {
  for (let folder = dirname(resolve(suiteFile)); access.reaches(folder); folder = dirname(folder)) {
    const manifests = join(folder, GATE_MANIFESTS);
    if (isThere(manifests)) return manifestsIn(manifests, access);
    if (folder === dirname(folder)) return [];
  }
  return [];
}

function manifestsIn(folder: string, access: FileAccess): JsonObject[] {
  const names = access.names(folder);
  if (!names.ok) throw new UsageError(`${folder}: ${names.problem}`);
  return names.content
    .filter((name) => /\.ya?ml$/.test(name))
    .flatMap((name) => {
      const read = access.read(join(folder, name), FILE_LIMITS.source);
      if (!read.ok) throw new UsageError(`${join(folder, name)}: ${read.problem}`);
      const reading = readYaml(read.content);
      return reading.ok && isJsonObject(reading.value) ? [reading.value] : [];
    });
}

function annotationsOf(document: JsonObject): ReadonlyMap<string, string> {
  const annotations = memberOf(document['metadata'], 'annotations');
  return new Map(isJsonObject(annotations) ? Object.entries(annotations).map(([key, value]) => [key, String(value)]) : []);
}

const numbersOf = (list = ''): ReadonlySet<number> =>
  new Set(
    list
      .split(',')
      .filter((part) => /^\d+$/.test(part))
      .map(Number),
  );
const memberOf = (value: JsonValue | undefined, key: string): JsonValue | undefined => (isJsonObject(value) ? value[key] : undefined);
const listAt = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
