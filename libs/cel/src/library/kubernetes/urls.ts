import { formatUrl, parseRequestUri, parseUrl, urlEscapedPath, urlHost, urlHostname, urlPort, urlQuery } from '#go';
import type { Url } from '#go';
import { equalWithin, LibraryValue } from '../../values/library-value.ts';
import { NativeList } from '../../values/list.ts';
import { EntryMap } from '../../values/map.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, listOf, mapOf, objectType, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { Described, FunctionDeclaration } from '../define.ts';
import { nominal, oneUnit, scanOf, scansFirst } from '../formulas.ts';
import { globalOverload, linear, memberOverload } from '../overload.ts';
import { between, estimateBy, estimateOf, fixed, product, size } from '../price.ts';
import { memoizeShort } from '../../values/text.ts';

const URL_TYPE = objectType('kubernetes.URL');

/** CEL value of a parsed URL. */
class UrlValue extends LibraryValue {
  readonly celType = URL_TYPE;
  readonly goType = 'cel.URL';
  readonly url: Url;
  constructor(url: Url) {
    super();
    this.url = url;
  }
  equalTo(other: CelValue): boolean | CelError {
    return equalWithin(UrlValue, other, ({ url }) => formatUrl(url) === formatUrl(this.url));
  }
  toString(): string {
    return formatUrl(this.url);
  }
}

const strictly = memoizeShort(parseRequestUri);

/**
 * Converts a text to a URL. A strict parse rejects invalid texts, and a second parse separates the fragment. The second parse is skipped
 * for a URL with a scheme and without `#`, because its result would be the same.
 */
const toUrl = memoizeShort((text: string): CelValue => {
  const strict = strictly(text);
  const isWhole = strict.ok && strict.url.scheme !== '' && !text.includes('#');
  const parsed = strict.ok && !isWhole ? parseUrl(text) : strict;
  return parsed.ok ? new UrlValue(parsed.url) : new CelError(`URL parse error during conversion from string: ${parsed.error}`);
});

function queryMap(url: Url): CelValue {
  const map = new EntryMap();
  for (const [name, values] of urlQuery(url)) map.set(name, new NativeList(values, 'string'));
  return map;
}

const GROWTH = linear('Go net/url/url.go (1.26), as k8s.io/apiserver/pkg/cel/library/urls.go calls it (1.37)');

/** Number of characters with which an escape replaces one character. */
const ESCAPED_LENGTH = 3;
const estimatePart = estimateBy((costs) => costs.urlPartsHaveSizes, estimateOf(fixed(1), { size: size(0) }), nominal);
/** Estimate of a part that is escaped, and may therefore be longer than the URL's text. */
const estimateEscapedPart = estimateBy(
  (costs) => costs.urlPartsHaveSizes,
  estimateOf(fixed(1), { size: between(size(0), product(fixed(ESCAPED_LENGTH), size(0))) }),
  nominal,
);

function accessor(
  described: Described,
  id: string,
  result: CelType,
  read: (url: Url) => CelValue,
  estimate = estimatePart,
): FunctionDeclaration {
  const overload = memberOverload(id, [URL_TYPE], result, {
    estimate,
    measure: oneUnit,
    growth: GROWTH,
    call: (value) => read((value as UrlValue).url),
  });
  return { ...described, library: 'kubernetes.urls', measure: oneUnit, overloads: [overload] };
}

/**
 * Estimate of parsing a URL. Since 1.32, the size of the URL is the size of the text, because the cost of comparing URLs depends on it.
 * Before 1.32, the size is unknown.
 */
const estimateUrl = estimateBy((costs) => costs.libraryEqualityIsFixed, scanOf(0, { keepsSize: true }), scanOf(0));

/** Declarations of the functions on URLs. Source: k8s.io/apiserver/pkg/cel/library/urls.go (1.37). */
export const URL_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: 'url',
    library: 'kubernetes.urls',
    doc: 'A URL from its text: an absolute URI or an absolute path.',
    examples: ["url('https://example.com/a').getHost() == 'example.com'"],
    measure: scansFirst,
    overloads: [
      globalOverload('string_to_url', [STRING], URL_TYPE, {
        estimate: estimateUrl,
        measure: scansFirst,
        growth: GROWTH,
        call: (text) => toUrl(text as string),
      }),
    ],
  },
  accessor(
    { name: 'getScheme', doc: 'The scheme in lower case. A path has an empty scheme.', examples: [["url('/path').getScheme()", "''"]] },
    'url_get_scheme',
    STRING,
    (url) => url.scheme,
  ),
  accessor(
    { name: 'getHost', doc: 'The host with its port.', examples: [["url('https://example.com:80/').getHost()", "'example.com:80'"]] },
    'url_get_host',
    STRING,
    urlHost,
  ),
  accessor(
    { name: 'getHostname', doc: 'The host without port and brackets.', examples: [["url('https://[::1]:80/').getHostname()", "'::1'"]] },
    'url_get_hostname',
    STRING,
    urlHostname,
  ),
  accessor(
    { name: 'getPort', doc: 'The port, or an empty text.', examples: [["url('https://example.com:80/').getPort()", "'80'"]] },
    'url_get_port',
    STRING,
    urlPort,
  ),
  accessor(
    {
      name: 'getEscapedPath',
      doc: 'The path with escapes.',
      examples: [["url('https://example.com/path with spaces/').getEscapedPath()", "'/path%20with%20spaces/'"]],
    },
    'url_get_escaped_path',
    STRING,
    urlEscapedPath,
    estimateEscapedPart,
  ),
  accessor(
    {
      name: 'getQuery',
      doc: 'The query parameters: values by name.',
      examples: ["url('https://example.com/?a=1&a=2').getQuery() == {'a': ['1', '2']}"],
    },
    'url_get_query',
    mapOf(STRING, listOf(STRING)),
    queryMap,
  ),
  {
    name: 'isURL',
    library: 'kubernetes.urls',
    doc: 'True if a text is a URL.',
    examples: ["isURL('https://user:pass@example.com:80/path?query=val#fragment')", "!isURL('../relative-path')"],
    overloads: [globalOverload('is_url_string', [STRING], BOOL, { growth: GROWTH, call: (text) => strictly(text as string).ok })],
  },
];
