import { LANGUAGE_DIFFERENCES } from '#cel';
import { CRD_DIFFERENCES, SCHEME_LINE_DIFFERENCES } from '#crd';
import { KUBE_DIFFERENCES } from '#kube';
import type { Minor } from '#kube';
import { EngineThreads } from '#runner';
import { versionMatrix } from '#service';
import type { DefinitionRow } from '#service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { yamlDefinition } from '../../../../testing/yaml-definition.ts';
import { documentsOf, envelopeOf } from '../../src/documents/read-documents.ts';
import { matrixText } from '../../src/report/version-matrix.ts';
import { strictOptions } from '../messages/messages-of.ts';
import { definitionExample } from './definition-example.ts';
import type { DefinitionExample } from './definition-example.ts';
import { SHOWN_DIFFERENCES } from './ledgers.ts';

const engine = new EngineThreads();
beforeAll(() => engine.start());
afterAll(() => engine.stop());

/** Differences that a definition cannot show, with the reason. */
const NOT_OF_DEFINITIONS: Readonly<Record<string, string>> = {
  statusIsNamed: 'only objects have a status that a schema describes',
  statusRatchets: 'only objects have a status that a schema describes',
  generationIsKept: 'the server sets the generation of a definition itself',
  jsonErrorsShowRunes: 'a document that is no JSON is no definition',
  oldMessagesAreKept: 'the version before does not create the stored definition, so it updates none',
  selectableFieldsRatchet: 'the version before does not create the stored definition, so it updates none',
  quantitiesAreBounded: 'only a rule on a default evaluates an expression, see the roadmap',
};

/** Definitions for differences whose example is about an object or an expression that is no default or rule of a definition. */
const OTHERS: Readonly<Record<string, string>> = {
  integersAreRounded: yamlDefinition('type: number\nmultipleOf: 0.1\ndefault: 0.29999999999'),
};

const ledgers = { ...CRD_DIFFERENCES, ...SCHEME_LINE_DIFFERENCES, ...KUBE_DIFFERENCES, ...LANGUAGE_DIFFERENCES };
const OF_DEFINITIONS = SHOWN_DIFFERENCES.filter(({ name }) => name in ledgers && !(name in NOT_OF_DEFINITIONS));

async function rowOf({ documents, featureGates }: DefinitionExample, minors: readonly Minor[]) {
  const inputs = documents.map((text, i) => ({ name: `${i}.yaml`, bytes: Buffer.from(text) }));
  const matrix = await versionMatrix(engine, envelopeOf(await documentsOf(inputs, engine), strictOptions(undefined, featureGates)), minors);
  return { row: matrix.definitions.at(-1) as DefinitionRow, text: matrixText(matrix) };
}

const namesOf = ({ causes = [] }: DefinitionRow): string[] => causes.flatMap((found) => found.causes.map(({ name }) => name));

describe('the only cause of different verdicts or messages of two versions about a definition', () => {
  it.each(OF_DEFINITIONS.map((one) => [one.name, one] as const))('is %s', async (name, { example, versions, sentence }) => {
    const other = OTHERS[name];
    const { row, text } = await rowOf(other === undefined ? definitionExample(example) : { documents: [other] }, versions);
    expect(row.changes).toBe(true);
    expect(namesOf(row)).toEqual([name]);
    expect(row.causes?.map(({ about }) => about)).toEqual([row.accepted[versions[0]] === row.accepted[versions[1]] ? 'texts' : 'verdict']);
    expect(text).toContain(sentence);
  });
});
