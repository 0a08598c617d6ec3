import { compileStoredDefinition } from '#crd';
import { isJsonObject, readJson, writeJson } from '#go';
import type { JsonObject } from '#go';
import { defaultGates, LATEST_MINOR } from '#kube';
import type { Minor } from '#kube';
import { nodeEngine } from '#runner/linker';
import { CaseProblem, definitionDocument, textField } from '../case-context.ts';
import type { CaseContext } from '../case-context.ts';
import { definitionFiles } from '../definition-files.ts';
import { Dice } from '../random/dice.ts';
import { writeTree } from '../random/tree.ts';
import { WriteCases } from '../random/write-cases.ts';
import { linesOfFile } from '../read-lines.ts';
import type { ReadingSource } from './compare-readings.ts';

/**
 * Yields the object cases of a recorded file, each with its compiled definition. Consecutive cases with the same definition share the
 * compiled form.
 */
export async function* recordedSources(file: string, definitions: string): AsyncGenerator<ReadingSource> {
  const make = sourceMaker(definitionFiles(definitions));
  for await (const line of linesOfFile(file)) {
    const reading = readJson(line);
    const test = reading.ok && isJsonObject(reading.value) ? reading.value['case'] : undefined;
    const source = isJsonObject(test) ? make(test, LATEST_MINOR) : undefined;
    if (source !== undefined) yield source;
  }
}

/** Yields up to `count` random objects, each with a random definition. */
export function* randomSources(seed: number, count: number): Generator<ReadingSource> {
  const cases = new WriteCases(new Dice(seed));
  const make = sourceMaker(() => {
    throw new CaseProblem('a random case has its definition with it');
  });
  for (let n = 0; n < count; n++) {
    const reading = readJson(writeTree(cases.synthetic('object')));
    const source = reading.ok && isJsonObject(reading.value) ? make(reading.value, LATEST_MINOR) : undefined;
    if (source !== undefined) yield source;
  }
}

/**
 * Returns a function that converts a case to a `ReadingSource`. The function returns undefined if the case does not create or update an
 * object. It also returns undefined if the definition of the case does not compile or does not serve the version.
 */
function sourceMaker(loadDocument: CaseContext['loadDocument']): (test: JsonObject, minor: Minor) => ReadingSource | undefined {
  let last: { readonly key: string; readonly definition: ReadingSource['definition'] } | undefined;
  return (test, minor) => {
    if (textField(test, 'kind') !== 'object' || !isJsonObject(test['object'])) return undefined;
    const context = { minor, gates: defaultGates(minor), engine: nodeEngine('compiled'), loadDocument };
    const key = writeJson([test['crdFile'] ?? null, test['crd'] ?? null, test['crdPatches'] ?? null]);
    if (last?.key !== key) {
      const outcome = compileStoredDefinition(definitionDocument(test, context), { ...context, servesAll: true });
      if (!outcome.ok) return undefined;
      last = { key, definition: outcome.definition };
    }
    const { definition } = last;
    const version = textField(test, 'version') || definition.storageVersion;
    const served = definition.serve(version);
    if (served?.ok !== true) return undefined;
    const textOf = (object: JsonObject): string => writeJson(object, { escapeHtml: false, keys: 'own' });
    const old = test['oldObject'];
    return { definition, version, body: textOf(test['object']), old: isJsonObject(old) ? textOf(old) : undefined };
  };
}
