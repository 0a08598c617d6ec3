import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineThreads } from '#runner';
import { answerOf } from './answer-of.ts';
import { SHOWN_DIFFERENCES } from './ledgers.ts';

const engine = new EngineThreads();
beforeAll(() => engine.start());
afterAll(() => engine.stop());

describe('the example of', () => {
  it.each(SHOWN_DIFFERENCES.map((one) => [one.name, one] as const))('%s has two answers', async (_, { example, versions }) => {
    const [before, since] = await Promise.all(versions.map((minor) => answerOf(example, minor, engine)));
    expect(since).not.toBe(before);
  });
});
