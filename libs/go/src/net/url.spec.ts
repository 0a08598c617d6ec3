import { describe, expect, it } from 'vitest';
import { formatUrl, parseRequestUri, parseUrl, urlEscapedPath, urlHost, urlHostname, urlPort, urlQuery } from './url.ts';
import type { Url, UrlResult } from './url.ts';

function url(result: UrlResult): Url {
  if (!result.ok) throw new Error(result.error);
  return result.url;
}

describe('URLs', () => {
  it('splits a request URI into its parts', () => {
    const parsed = url(parseRequestUri('https://user:pw@example.com:80/a%20b/%2F?q=1&q=2&z'));
    expect([urlHost(parsed), urlHostname(parsed), urlPort(parsed), urlEscapedPath(parsed)]).toEqual([
      'example.com:80',
      'example.com',
      '80',
      '/a%20b/%2F',
    ]);
    expect([...urlQuery(parsed)]).toEqual([
      ['q', ['1', '2']],
      ['z', ['']],
    ]);
  });

  it('has no query parameters if there are more than Go accepts', () => {
    const query = (count: number) => urlQuery(url(parseRequestUri(`/?${'a=1&'.repeat(count - 1)}a=1`))).get('a')?.length;
    expect([query(10_000), query(10_001)]).toEqual([10_000, undefined]);
  });

  it('removes the brackets from IPv6 addresses', () => {
    expect(urlHostname(url(parseRequestUri('http://[::1]:8080/')))).toBe('::1');
  });

  it.each(['https://example.com/path', '/path?x=y', 'file:///a/b', 'mailto:a@b'])('%s stays unchanged', (text) => {
    expect(formatUrl(url(parseUrl(text)))).toBe(text);
  });

  it.each([
    ['', 'parse "": empty url'],
    ['path', 'parse "path": invalid URI for request'],
    ['http://a b', 'parse "http://a b": invalid character " " in host name'],
    ['http://[::1', 'parse "http://[::1": missing \']\' in host'],
    ['http://a:x/', 'parse "http://a:x/": invalid port ":x" after host'],
    ['/%zz', 'parse "/%zz": invalid URL escape "%zz"'],
    ['1http://a', 'parse "1http://a": invalid URI for request'],
  ])('rejects %s', (text, error) => {
    expect(parseRequestUri(text)).toEqual({ ok: false, error });
  });
});
