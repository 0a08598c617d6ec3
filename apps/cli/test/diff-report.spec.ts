import { marked } from 'marked';
import { expect, it } from 'vitest';
import { diffComment } from '../src/commands/diff/report/comment.ts';

const HOSTILE = 'x`\n# a heading\n![pixel](https://example.com/x.png) <img src=x> @everybody | cell';

it('a comment on a diff escapes the texts of a definition', () => {
  const markdown = diffComment({
    definitions: [
      {
        name: HOSTILE,
        state: 'changed',
        changes: [{ version: HOSTILE, path: HOSTILE, change: HOSTILE, breaking: true }],
        report: { name: HOSTILE, digest: '', accepted: false, status: { message: HOSTILE }, warnings: [] },
        prices: [{ state: HOSTILE, version: 'v1', path: '', rule: HOSTILE, before: '1', after: '2', broken: false }],
        minors: { refused: [], mended: [] },
        objects: [{ index: 0, name: HOSTILE, effect: 'brokenOnUpdate', message: HOSTILE }],
        failed: [{ gate: HOSTILE, name: 'limit-share', version: HOSTILE, path: HOSTILE, minors: [], text: HOSTILE }],
      },
    ],
    estimates: [
      {
        rules: [{ state: 'new', version: HOSTILE, path: HOSTILE, rule: HOSTILE, costs: { '1.37': { after: '5' } }, messageCosts: {} }],
        totals: [{ version: HOSTILE, costs: { '1.37': { after: '7' } } }],
        accepted: {},
        isIncomplete: false,
      },
    ],
    sources: [HOSTILE],
  } as unknown as Parameters<typeof diffComment>[0]);
  const html = marked.parse(markdown, { async: false });
  expect(html.match(/<h\d/g)).toEqual(['<h3', '<h4']);
  expect(html.replace(/<code>[^<]*<.code>/g, '')).not.toMatch(/<img|@everybody/);
  expect(html.match(/<table>/g)).toHaveLength(6);
  expect(html).toContain('&lt;img src=x&gt; @<!-- -->everybody | cell');
});
