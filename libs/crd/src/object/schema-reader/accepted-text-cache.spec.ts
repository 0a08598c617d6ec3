import { ByteCursor, utf8Bytes } from '#go';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CompiledRules } from '../../rules/compiled-rules.ts';
import { AcceptedTextCache } from './accepted-text-cache.ts';
import { ReaderRun } from './reader-run.ts';

const run = new ReaderRun(false);
const cursor = new ByteCursor();

/** Searches in `known` for the text at the beginning of a document. */
function findIn(known: AcceptedTextCache, document: string): string | undefined {
  cursor.begin(utf8Bytes(document), undefined);
  return known.find(cursor, run);
}

function note(known: AcceptedTextCache, text: string, cost = 0, document = JSON.stringify(text)): void {
  known.note(text, utf8Bytes(document), 0, cost);
}

function twice(known: AcceptedTextCache, text: string, cost = 0): void {
  note(known, text, cost);
  note(known, text, cost);
}

describe('AcceptedTextCache', () => {
  beforeEach(() => {
    run.cost = 0;
    run.costLimit = 100;
  });

  it("finds a text on its third occurrence, and adds the cost of the text's rules", () => {
    const known = new AcceptedTextCache(undefined);
    note(known, 'alpha', 7);
    expect(findIn(known, '"alpha"')).toBeUndefined();
    note(known, 'alpha', 7);
    expect(findIn(known, '"alpha", and more')).toBe('alpha');
    expect(cursor.at).toBe('"alpha"'.length);
    expect(run.cost).toBe(7);
  });

  it('finds nothing if a rule could exceed the cost limit', () => {
    const known = new AcceptedTextCache(undefined);
    twice(known, 'alpha', 7);
    run.costLimit = 6;
    expect(findIn(known, '"alpha"')).toBeUndefined();
    expect([run.cost, cursor.at]).toEqual([0, 0]);
  });

  it.each(['"alphb"', '"alpha', '"alph"', '"alphaa"', '"alp\\u0068a"', 'alpha', '5', '""'])(
    'does not mistake %s for the stored text "alpha"',
    (document) => {
      const known = new AcceptedTextCache(undefined);
      twice(known, 'alpha');
      expect(findIn(known, document)).toBeUndefined();
    },
  );

  it.each([
    ['with escapes', 'a/b', '"a\\/b"'],
    ['beyond ASCII', 'é', '"é"'],
    ['without characters', '', '""'],
    ['that is too long', 'x'.repeat(49), `"${'x'.repeat(49)}"`],
  ])('stores no text %s', (_, text, document) => {
    const known = new AcceptedTextCache(undefined);
    for (let n = 0; n < 2; n++) note(known, text, 0, document);
    expect(findIn(known, document)).toBeUndefined();
    expect(findIn(known, JSON.stringify(text))).toBeUndefined();
  });

  it('stores no text of a node whose rules read the old value', () => {
    const known = new AcceptedTextCache({ usesOldSelf: true } as CompiledRules);
    twice(known, 'alpha');
    expect(findIn(known, '"alpha"')).toBeUndefined();
  });

  it('stops searching if the texts of documents do not repeat', () => {
    const known = new AcceptedTextCache(undefined);
    twice(known, 'alpha');
    for (let n = 0; n < 60; n++) findIn(known, `"once${n}"`);
    expect(findIn(known, '"alpha"')).toBe('alpha');
    for (let n = 0; n < 70; n++) findIn(known, `"once${n}"`);
    expect(findIn(known, '"alpha"')).toBeUndefined();
  });

  it('distinguishes texts that share a slot of its table', () => {
    const known = new AcceptedTextCache(undefined);
    const texts = Array.from({ length: 500 }, (_, i) => `name-${i}-of-many`);
    for (const text of texts) {
      twice(known, text);
      expect(findIn(known, JSON.stringify(text))).toBe(text);
    }
    for (const text of texts) expect([text, undefined]).toContain(findIn(known, JSON.stringify(text)));
  });
});
