import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions, defaultOptions, definitionText, serverOf } from '#evaluation';
import { EngineThreads } from '#runner';
import { judgeChange } from '#service';
import { evaluate } from '../../src/evaluate.ts';
import { documentsOf } from '../../src/read-documents.ts';
import { MESSAGES } from './cases.ts';
import type { MessageCase } from './message-case.ts';

const host = new EngineThreads();
beforeAll(() => host.start());
afterAll(() => host.stop());

const cases = MESSAGES.flatMap((group) => group.cases);

/** Returns the message with which a server refuses an update of a stored definition. */
async function messageOfChange(stored: string, changed: string): Promise<string> {
  const options = defaultOptions();
  const [from, to] = await Promise.all(
    [stored, changed].map(async (text) => {
      const { definitions } = await documentsOf([{ name: 'crd.yaml', bytes: Buffer.from(text) }], host);
      return definitionText(definitions[0]!.slice, serverOf(options));
    }),
  );
  return (await judgeChange(host, { from: from!, to: to!, options }))?.status?.message ?? '';
}

/**
 * Returns all messages and warnings that a case produces, one on each line. If the case has a stored definition, returns only the message
 * about its update.
 */
async function messagesOf({ documents, stored, kubernetesVersion }: MessageCase): Promise<string> {
  if (stored !== undefined) return messageOfChange(stored, documents[0] ?? '');
  const inputs = documents.map((text, i) => ({ name: `${i}.yaml`, bytes: Buffer.from(text) }));
  const options = checkOptions({ fieldValidation: 'Strict', ...(kubernetesVersion && { kubernetesVersion }) });
  if (!options.ok) throw new Error(options.status.message);
  const { definitions, policyReports = [], items } = await evaluate(await documentsOf(inputs, host), options.value, host);
  return [...definitions, ...policyReports, ...items].flatMap((one) => [one.status?.message ?? '', ...one.warnings]).join('\n');
}

describe('a message of the page about errors', () => {
  it.each(cases.map((one) => [one.message, one] as const))('%s', async (message, one) => expect(await messagesOf(one)).toContain(message));

  it('occurs once', () => expect(new Set(cases.map(({ message }) => message)).size).toBe(cases.length));

  it.each(cases.map((one) => [one.message, one] as const))('has a cause that its documents hold: %s', (_, { cause, documents }) => {
    const lines = documents
      .join('\n')
      .split('\n')
      .map((line) => line.trim());
    const shown = cause.split('\n').map((line) => line.replace(/ # .*/, '').trim());
    const flow = documents.join('\n');
    expect(shown.filter((line) => line !== '---' && !lines.some((one) => one.includes(line)) && !flow.includes(line))).toEqual([]);
  });
});
