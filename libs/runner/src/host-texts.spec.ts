import { latestServer } from '#kube';
import { expect, it } from 'vitest';
import type { DefinitionText } from '#documents';
import { HostTexts } from './host-texts.ts';

const text = (digest: string): DefinitionText => ({ digest, ...latestServer(), slice: { bytes: new Uint8Array(10), notation: 'json' } });
const none = (): Set<string> => new Set();

it("a definition's text is sent to the host once, and again after the host forgot the text", () => {
  const texts = new HostTexts(20);
  expect([texts.use(text('a')), texts.use(text('b')), texts.use(text('a')), texts.use(text('c'))]).toEqual([true, true, false, true]);
  expect(texts.trim(none)).toEqual(['b']);
  expect(texts.use(text('b'))).toBe(true);
});

it('the texts of running work are kept beyond the limit', () => {
  const texts = new HostTexts(5);
  for (const digest of ['a', 'b', 'c']) texts.use(text(digest));
  expect(texts.trim(() => new Set(['a', 'b']))).toEqual(['c']);
  expect(texts.trim(none)).toEqual(['a', 'b']);
});
