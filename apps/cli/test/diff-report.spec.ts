import { marked } from 'marked';
import { expect, it } from 'vitest';
import { diffMarkdown } from '../src/commands/diff/run.ts';

const HOSTILE = 'x`\n# a heading\n![pixel](https://example.com/x.png) <img src=x> @everybody | cell';

it('a diff as Markdown escapes the texts of a definition', () => {
  const markdown = diffMarkdown({
    definitions: [
      {
        name: HOSTILE,
        state: 'changed',
        changes: [{ version: HOSTILE, path: HOSTILE, change: HOSTILE, breaking: true }],
        report: { name: HOSTILE, digest: '', accepted: false, status: { message: HOSTILE }, warnings: [] },
        prices: [{ version: 'v1', path: '', rule: HOSTILE, before: '1', after: '2', broken: false }],
        minors: { refused: [], mended: [] },
        objects: [],
      },
    ],
    sources: [],
  } as unknown as Parameters<typeof diffMarkdown>[0]);
  const html = marked.parse(markdown, { async: false });
  expect(html.match(/<h\d/g)).toEqual(['<h3']);
  expect(html.replace(/<code>[^<]*<.code>/g, '')).not.toMatch(/<img|@everybody/);
  expect(html).toContain('&lt;img src=x&gt; @<!-- -->everybody | cell');
});
