import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineThreads } from '#runner';
import { briefMessage } from '#editing';
import { evaluate } from '../../src/evaluation/evaluate.ts';
import { documentsOf } from '../../src/documents/read-documents.ts';
import { CASES, DEFINITION, unmarked } from './cases.ts';

const host = new EngineThreads();
beforeAll(() => host.start());
afterAll(() => host.stop());

describe('the position of the first error of a case', () => {
  it.each(CASES.map((one) => [one.title, one] as const))('is the marked place in its text: %s', async (_, one) => {
    const { text, line, column } = unmarked(one);
    const inputs = [
      { name: one.file, bytes: Buffer.from(text) },
      { name: 'widgets.yaml', bytes: Buffer.from(DEFINITION) },
    ];
    const options = checkOptions({ fieldValidation: 'Strict' });
    if (!options.ok) throw new Error(options.status.message);
    const { definitions, items } = await evaluate(await documentsOf(inputs, host), options.value, host);
    const [first] = [...definitions, ...items].flatMap(({ findings = [] }) => findings).filter(({ severity }) => severity === 'error');
    expect([first?.location?.line, first?.location?.column, first && briefMessage(first).split('\n')[0]]).toEqual([
      line,
      column,
      expect.stringMatching(new RegExp(`^${one.says.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)),
    ]);
  });
});
