import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { isJsonObject, readFirstDocument } from '#go';
import { linesOfFile } from './read-lines.ts';
import { SHARED } from './shared-folder.ts';

/** A case of the corpora on which a server in openshift's test harness gave a verdict. Source: `shared/corpora/README.md`. */
interface ExtractedCase {
  readonly id: string;
  readonly source: { readonly repo: string; readonly path: string };
  readonly suite: string;
  readonly title: string;
  readonly crdFile: string;
  readonly altCrdFiles?: readonly string[];
  readonly version: string;
  readonly op: 'create' | 'update';
  readonly resourceName?: string;
  readonly initial: object;
  readonly updated?: object;
  readonly expected?: object;
  readonly expectedError?: string;
  readonly expectedStatusError?: string;
  readonly crdPatches?: readonly object[];
}

const CORPORA = join(SHARED, 'corpora');
/** Names of the corpus files that contain suites in openshift's format. */
export const OPENSHIFT_SUITES = ['openshift-api', 'openshift-operators'] as const;

/**
 * Writes the cases of a corpus back to suite files at the paths that openshift/api uses: `tests/<crdName>/<file>.yaml`. The variants of a
 * definition, which differ by feature gates, are written to `zz_generated.crd-manifests`. Each case title begins with the case's id.
 * Returns the number of runs: one for each pair of a case and a variant.
 */
export async function writeSuites(corpus: (typeof OPENSHIFT_SUITES)[number], folder: string): Promise<number> {
  const cases: ExtractedCase[] = [];
  for await (const line of linesOfFile(join(CORPORA, 'suites', `${corpus}.jsonl`)))
    if (line !== '') cases.push(JSON.parse(line) as ExtractedCase);
  let runs = 0;
  let number = 0;
  for (const [, suite] of Map.groupBy(cases, suiteKey)) {
    const [{ crdFile, altCrdFiles = [] }] = suite as [ExtractedCase];
    const definitions = [crdFile, ...altCrdFiles];
    writeSuite(suite as [ExtractedCase, ...ExtractedCase[]], definitions, join(folder, corpus, String(number++)));
    runs += suite.length * definitions.length;
  }
  return runs;
}

/** Returns the key of the suite file to which a case belongs. Cases with equal keys have the same definitions. */
const suiteKey = ({ source, suite, version, crdFile, altCrdFiles = [] }: ExtractedCase): string =>
  JSON.stringify([source.repo, source.path, suite, version, crdFile, ...altCrdFiles]);

function writeSuite(cases: readonly [ExtractedCase, ...ExtractedCase[]], definitions: readonly string[], folder: string): void {
  const [{ source, suite, version }] = cases;
  const generated = join(folder, 'zz_generated.crd-manifests');
  mkdirSync(generated, { recursive: true });
  for (const file of definitions) copyFileSync(join(CORPORA, file), join(generated, basename(file)));
  const crdName = definitionName(join(CORPORA, definitions[0] as string));
  const tests = {
    onCreate: cases.filter(({ op }) => op === 'create').map(suiteCase),
    onUpdate: cases.filter(({ op }) => op === 'update').map(suiteCase),
  };
  const place = join(folder, 'tests', crdName);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, `${basename(source.path, '.yaml')}.yaml`), yaml({ name: suite, crdName, version, tests }));
}

function suiteCase(testCase: ExtractedCase): object {
  const { id, title, resourceName, initial, updated, expected, expectedError, expectedStatusError, crdPatches } = testCase;
  return {
    name: `${id} ${title}`,
    ...(resourceName !== undefined && { resourceName }),
    ...(crdPatches && { initialCRDPatches: crdPatches }),
    initial: yaml(resourceName === undefined ? initial : unnamed(initial)),
    ...(updated && { updated: yaml(updated) }),
    ...(expected && { expected: yaml(expected) }),
    ...(expectedError !== undefined && { expectedError }),
    ...(expectedStatusError !== undefined && { expectedStatusError }),
  };
}

/** Returns the object without `metadata.name`, because the corpus has copied the case's `resourceName` to this field. */
function unnamed(object: { readonly metadata?: object }): object {
  const { name: _, ...metadata } = (object.metadata ?? {}) as { readonly name?: string };
  return { ...object, metadata };
}

/** Returns a value as YAML that servers read, too: they take words such as `yes` for YAML 1.1. */
const yaml = (value: object): string => stringify(value, { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });

function definitionName(file: string): string {
  const reading = readFirstDocument(readFileSync(file));
  const metadata = reading.ok && isJsonObject(reading.value) ? reading.value['metadata'] : undefined;
  const name = isJsonObject(metadata) ? metadata['name'] : undefined;
  if (typeof name !== 'string') throw new Error(`${file} is no definition`);
  return name;
}
