import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThreads } from '#runner';
import { missingLines } from '../messages/missing-lines.ts';
import { answerOf } from './answer-of.ts';
import { SHOWN_DIFFERENCES } from './ledgers.ts';

const engine = new EngineThreads();
beforeAll(() => engine.start());
afterAll(() => engine.stop());

describe('the example on the page about versions, of', () => {
  it.each(SHOWN_DIFFERENCES.map((one) => [one.name, one] as const))('%s, gets two different answers', async (_, { example, versions }) => {
    const [before, since] = await Promise.all(versions.map((minor) => answerOf(example, minor, engine)));
    expect(since?.text).not.toBe(before?.text);
  });

  it.each(SHOWN_DIFFERENCES.flatMap(({ name, example }) => ('expression' in example ? [] : [[name, example] as const])))(
    '%s, is shown with lines of its documents',
    (_, example) => {
      const { cause, documents, stored = '' } = example;
      expect(missingLines(cause, [...documents, stored])).toEqual([]);
    },
  );
});
