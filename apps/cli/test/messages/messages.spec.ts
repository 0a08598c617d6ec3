import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThreads } from '#runner';
import { MESSAGES } from './cases.ts';
import { messagesOf } from './messages-of.ts';
import { missingLines } from './missing-lines.ts';

const host = new EngineThreads();
beforeAll(() => host.start());
afterAll(() => host.stop());

const cases = MESSAGES.flatMap((group) => group.cases);

describe('a message on the page about errors', () => {
  it.each(cases.map((one) => [one.message, one] as const))(
    'is among the messages about the documents of its case: %s',
    async (message, one) => expect(await messagesOf(one, one.kubernetesVersion, host)).toContain(message),
  );

  it('occurs only once on the page', () => expect(new Set(cases.map(({ message }) => message)).size).toBe(cases.length));

  it.each(cases.map((one) => [one.message, one] as const))('has its cause in the documents of its case: %s', (_, { cause, documents }) => {
    expect(missingLines(cause, documents)).toEqual([]);
  });
});
