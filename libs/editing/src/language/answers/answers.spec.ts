import { describe, expect, it } from 'vitest';
import { markdownCode, markdownText } from './answers.ts';

describe("a user's text in Markdown", () => {
  it.each([
    ['an image', '![x](https://example.com/x.png)', '\\!\\[x\\](https://example.com/x.png)'],
    ['a command', '[x](command:a.b)', '\\[x\\](command:a.b)'],
    ['HTML', '<img src=x>', '\\<img src=x>'],
    ['a terminal sequence', 'a\u001b[2J', 'a\\u001b\\[2J'],
    ['plain words with `code`', 'Plain *words* with `code`.\n\n- a list', 'Plain *words* with `code`.\n\n- a list'],
  ])('appears unchanged: %s', (_, text, shown) => {
    expect(markdownText(text)).toBe(shown);
  });

  it('stays code on a single line', () => {
    expect(markdownCode('a`b\n![x](y)')).toBe("`a'b ![x](y)`");
  });
});
