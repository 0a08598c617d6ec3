import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { wholeAnswer } from './whole-answer.ts';

const reply = { type: () => reply } as unknown as FastifyReply;

async function textOf(answer: unknown, maxBytes = 1e9): Promise<string> {
  const written = await wholeAnswer(reply, answer, maxBytes);
  if (typeof written === 'string') return written;
  return (await Array.fromAsync(written, String)).join('');
}

const deep = (depth: number): unknown =>
  depth === 0 ? { a: [1, undefined, 'é'], b: undefined } : { x: [deep(depth - 1), {}, []], y: null };

describe('a JSON response that is sent as one document', () => {
  it.each([[null], ['text'], [1.5], [true], [[]], [{}], [[undefined, null, { a: undefined, b: 1 }]], [deep(1)], [deep(6)]])(
    'is written as JSON.stringify does: %j',
    async (answer) => {
      expect(await textOf(answer)).toBe(JSON.stringify(answer));
    },
  );

  const large = { rules: Array.from({ length: 50_000 }, (_, i) => ({ path: `spec.x${i}`, cost: String(i) })) };

  it('is written in steps, between which other work runs', async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const text = await textOf(large);
    clearInterval(counting);
    expect(text).toBe(JSON.stringify(large));
    expect(turns).toBeGreaterThan(5);
  });

  it('is rejected if it would be too long', async () => {
    await expect(textOf(large, 1_000_000)).rejects.toMatchObject({ status: { code: 413 } });
  });
});
