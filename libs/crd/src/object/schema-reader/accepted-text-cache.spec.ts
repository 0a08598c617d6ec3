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

  it('knows a text that came twice, and adds what its rules cost', () => {
    const known = new AcceptedTextCache(undefined);
    note(known, 'alpha', 7);
    expect(findIn(known, '"alpha"')).toBeUndefined();
    note(known, 'alpha', 7);
    expect(findIn(known, '"alpha", and more')).toBe('alpha');
    expect(cursor.at).toBe('"alpha"'.length);
    expect(run.cost).toBe(7);
  });

  it('says nothing where a rule could cost more than it may', () => {
    const known = new AcceptedTextCache(undefined);
    twice(known, 'alpha', 7);
    run.costLimit = 6;
    expect(findIn(known, '"alpha"')).toBeUndefined();
    expect([run.cost, cursor.at]).toEqual([0, 0]);
  });

  it.each(['"alphb"', '"alpha', '"alph"', '"alphaa"', '"alp\\u0068a"', 'alpha', '5', '""'])(
    'does not take %s for another text',
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
  ])('keeps none %s', (_, text, document) => {
    const known = new AcceptedTextCache(undefined);
    for (let n = 0; n < 2; n++) note(known, text, 0, document);
    expect(findIn(known, document)).toBeUndefined();
    expect(findIn(known, JSON.stringify(text))).toBeUndefined();
  });

  it('keeps none of a node whose rules look at an older self', () => {
    const known = new AcceptedTextCache({ usesOldSelf: true } as CompiledRules);
    twice(known, 'alpha');
    expect(findIn(known, '"alpha"')).toBeUndefined();
  });

  it('stops looking where texts do not come again', () => {
    const known = new AcceptedTextCache(undefined);
    twice(known, 'alpha');
    for (let n = 0; n < 60; n++) findIn(known, `"once${n}"`);
    expect(findIn(known, '"alpha"')).toBe('alpha');
    for (let n = 0; n < 70; n++) findIn(known, `"once${n}"`);
    expect(findIn(known, '"alpha"')).toBeUndefined();
  });

  it('tells texts apart that have one place', () => {
    const known = new AcceptedTextCache(undefined);
    const texts = Array.from({ length: 500 }, (_, i) => `name-${i}-of-many`);
    for (const text of texts) {
      twice(known, text);
      expect(findIn(known, JSON.stringify(text))).toBe(text);
    }
    for (const text of texts) expect([text, undefined]).toContain(findIn(known, JSON.stringify(text)));
  });
});
