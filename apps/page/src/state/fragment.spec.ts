import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFragment, writeFragment } from './fragment.ts';
import { NO_TEXTS } from './texts.ts';
import type { PageState } from './page-state.ts';

const state: PageState = { texts: { ...NO_TEXTS, definitions: 'kind: Ä 🙂\n', objects: '</script><script>' }, minor: '1.33', view: 'cost' };
const packed = (text: string): string => `v1/${deflateRawSync(text).toString('base64url')}`;

describe('the URL fragment that stores the state of the page', () => {
  it('is decoded to the original texts and settings', async () => {
    expect(await readFragment(await writeFragment(state))).toEqual({ kind: 'state', state });
  });

  it('contains the rule of a benchmark, and the older definitions', async () => {
    const benchmark = { rule: { definition: 'widgets.example.com', version: 'v1', path: 'x' }, older: 'kind: Older\n' };
    expect(await readFragment(await writeFragment({ ...state, benchmark }))).toEqual({ kind: 'state', state: { ...state, benchmark } });
  });

  it.each(['', 'results', 'panel-cost'])('contains no state if it is %j', async (fragment) => {
    expect(await readFragment(fragment)).toEqual({ kind: 'none' });
  });

  it.each([
    ['another form', 'v2/abc', /of another release/],
    ['a query string', '?a=b', /not in a form/],
    ['no base64', 'v1/%%%', /changed or cut off/],
    ['no deflate', 'v1/AAAA', /changed or cut off/],
    ['cut off', packed(JSON.stringify(state)).slice(0, 40), /changed or cut off/],
    ['no JSON', packed('{'), /changed or cut off/],
    ['another state', packed('{"texts":{}, "more": 1}'), /no state of this page/],
    ['the key __proto__', packed('{"texts":{"__proto__":{"a":1}},"__proto__":{"view":"learn"}}'), /no state of this page/],
    ['an unknown minor', packed('{"texts":{},"minor":"9.99"}'), /no state of this page/],
    ['a bomb', packed('0'.repeat(64 * 1024 * 1024)), /more than this page holds/],
    ['millions of characters', `v1/${'A'.repeat(5_000_000)}`, /too long/],
  ])('is reported as unreadable, with the reason: %s', async (_, fragment, why) => {
    expect(await readFragment(fragment)).toEqual({ kind: 'unreadable', why: expect.stringMatching(why) as string });
    expect(({} as { a?: number }).a).toBeUndefined();
  });
});
