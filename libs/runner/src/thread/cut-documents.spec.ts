import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '#go';
import { cutDocuments } from './cut-documents.ts';

/** Gives in when it is asked for the n-th time. */
class LateToken extends CancellationFlag {
  asked = 0;
  readonly #at: number;
  constructor(at: number) {
    super();
    this.#at = at;
  }
  override get cancelled(): boolean {
    this.asked += 1;
    return this.asked >= this.#at;
  }
}

/** Ten thousand pieces of work, in each of the shapes that a body can have. */
const BODIES: readonly (readonly [what: string, text: string, lines: boolean])[] = [
  ['many documents', 'a: 1\n---\n'.repeat(10_000), false],
  ['one long document', 'a: 1\n'.repeat(10_000), false],
  ['one long scalar', `a: "${'b\n'.repeat(10_000)}"`, false],
  ['aliases that come to much', `a: &a [${'x,'.repeat(10_000)}]\nb: [*a, *a]\n`, false],
  ['a long list', `kind: List\nitems:\n${'- {a: 1}\n'.repeat(10_000)}`, false],
  ['lines of JSON', '{"a":1}\n'.repeat(10_000), true],
];

describe('cutting a body into documents', () => {
  it.each(BODIES)('stops where it is cancelled: %s', (_, text, lines) => {
    const bytes = Buffer.from(text);
    const patient = new LateToken(Infinity);
    cutDocuments(bytes, lines, patient);
    expect(patient.asked).toBeGreaterThan(10);
    for (const at of [1, Math.floor(patient.asked / 2), patient.asked]) {
      const token = new LateToken(at);
      expect(() => cutDocuments(bytes, lines, token)).toThrow(Cancelled);
      expect(token.asked).toBe(at);
    }
  });
});
