import { describe, expect, it, vi } from 'vitest';
import { parseSecrets } from './read-secrets.ts';

/** Returns a short text that becomes 10^`levels` words if its aliases are replaced. */
const bomb = (levels: number): string =>
  Array.from(
    { length: levels },
    (_, i) =>
      `- &a${i} [${Array<string>(10)
        .fill(i === 0 ? 'x' : `*a${i - 1}`)
        .join(', ')}]\n`,
  ).join('');

describe('a configuration text that contains secrets', () => {
  it.each([
    ['YAML', '- name: a # c\n  key: 2026-01-01\n', [{ name: 'a', key: '2026-01-01' }]],
    ['JSON', '[{"name": "\\u0061"}]', [{ name: 'a' }]],
    ['null', 'null', null],
    ['an alias', '- &k {a: 1}\n- *k\n', [{ a: 1 }, { a: 1 }]],
  ])('is parsed: %s', (_, text, value) => expect(parseSecrets(text)).toEqual({ ok: true, value }));

  it.each([
    ['a key twice', '- a: 1\n  a: 2\n', 2],
    ['a key twice in JSON', '{"a": 1, "a": 2}', 1],
    ['an open quotation', '- a: "secret\n', 2],
    ['a wrong indentation', '- a: 1\n b: 2\n', 2],
    ['an unknown tag', '- !secret x\n', 1],
    ['two documents', 'a: 1\n---\nb: 2\n', 2],
    ['an empty text', '', undefined],
    ['only a comment', '# nothing\n', undefined],
    ['an alias without an anchor', '- *secret\n', undefined],
    ['very many aliases', bomb(5), undefined],
    ['very deep lists', '['.repeat(10_000), 1],
  ])('gives an error: %s', (_, text, line) => expect(parseSecrets(text)).toEqual({ ok: false, line }));

  it('is parsed without warnings, which would print the text', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    parseSecrets('? [secret]\n: b\n');
    parseSecrets('- !secret x\n');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });
});
