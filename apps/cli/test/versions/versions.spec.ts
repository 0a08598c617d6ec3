import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThreads } from '#runner';
import { missingLines } from '../messages/missing-lines.ts';
import { answerOf } from './answer-of.ts';
import { SHOWN_DIFFERENCES } from './ledgers.ts';

const engine = new EngineThreads();
beforeAll(() => engine.start());
afterAll(() => engine.stop());

describe('an example on the page about versions', () => {
  it.each(SHOWN_DIFFERENCES.map((one) => [one.name, one] as const))('gets two different answers: %s', async (_, { example, versions }) => {
    const [before, since] = await Promise.all(versions.map((minor) => answerOf(example, minor, engine)));
    expect(since?.text).not.toBe(before?.text);
  });

  it.each(SHOWN_DIFFERENCES.flatMap(({ name, example }) => ('expression' in example ? [] : [[name, example] as const])))(
    'is shown with lines of its documents: %s',
    (_, example) => {
      const { cause, documents, stored = '' } = example;
      expect(missingLines(cause, [...documents, stored])).toEqual([]);
    },
  );
});
