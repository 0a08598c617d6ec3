import { basename, dirname, join, resolve } from 'node:path';
import { isCompositeDefinition } from '#kube';
import { readSlice } from '#documents';
import { isJsonObject, readPart, splitDocuments } from '#go';
import type { JsonObject } from '#go';
import type { Engine } from '#runner';
import { isThere, statsOf } from '../files/file-access.ts';
import type { FileAccess } from '../files/file-access.ts';
import { FILE_LIMITS } from '../files/file-limits.ts';
import { madeDefinitions } from '../made-definitions.ts';
import { UsageError } from '../usage.ts';
import type { Suite } from './suite.ts';

/** Definition, and the file that contains it. */
export interface FoundDefinition {
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
): Promise<FoundDefinition[]> {
  const folder = dirname(resolve(suiteFile));
  const generated = join(folder, GENERATED);
  const places =
    crd === undefined ? [folder, ...(isThere(generated) && access.reaches(generated) ? [generated] : [])] : [resolve(folder, crd)];
  const unreadable: string[] = [];
  const seen = new Set<string>();
  for (const place of places) {
    const all: FoundDefinition[] = [];
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
async function definitionsOf(file: string, access: FileAccess, unreadable: string[], host: Engine): Promise<FoundDefinition[]> {
  const read = access.read(file, FILE_LIMITS.source);
  if (!read.ok) throw new UsageError(`${file}: ${read.problem}`);
  const found: FoundDefinition[] = [];
  let hasComposite = false;
  for (const part of splitDocuments(read.content)) {
    access.poll();
    const reading = readPart(part);
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
