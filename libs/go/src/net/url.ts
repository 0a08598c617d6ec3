import { latin1Bytes, latin1Text, utf8Bytes, utf8Text } from '../bytes.ts';
import { goQuote } from '../text/quote.ts';
import { parseIp } from './ip.ts';

/**
 * URL in the parts that Go's net/url stores. Each string has one character for each UTF-8 byte of the text, so that escapes of arbitrary
 * bytes are preserved.
 */
export interface Url {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: UserInfo | undefined;
  readonly host: string;
  readonly omitHost: boolean;
  /** Path with the escapes of the text. All escapes are valid. */
  readonly writtenPath: string;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

interface UserInfo {
  readonly name: string;
  readonly password: string | undefined;
}

/** Result of parsing a URL: the URL, or Go's error text. */
export type UrlResult = { readonly ok: true; readonly url: Url } | { readonly ok: false; readonly error: string };

/** Pattern for ASCII texts, in which each character is one UTF-8 byte. */
const ASCII = /^[\0-\x7f]*$/;

const toBytes = (text: string): string => (ASCII.test(text) ? text : latin1Text(utf8Bytes(text)));
const toText = (bytes: string): string => (ASCII.test(bytes) ? bytes : utf8Text(latin1Bytes(bytes)));

class Refusal {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

type Part = 'path' | 'host' | 'zone' | 'userPassword' | 'fragment' | 'query';

const UNRESERVED = 'A-Za-z0-9\\-_.~';
/** Pattern for each part of a URL. It matches the texts in which no character must be escaped. Source: Go net/url `shouldEscape`. */
const UNESCAPED: Readonly<Record<Part, RegExp>> = {
  path: new RegExp(`^[${UNRESERVED}$&+,/:;=@]*$`),
  host: new RegExp(`^[${UNRESERVED}!$&'()*+,;=:[\\]<>"]*$`),
  zone: new RegExp(`^[${UNRESERVED}!$&'()*+,;=:[\\]<>"]*$`),
  userPassword: new RegExp(`^[${UNRESERVED}$&+,;=]*$`),
  fragment: new RegExp(`^[${UNRESERVED}$&+,/:;=?@!()*]*$`),
  query: new RegExp(`^[${UNRESERVED}]*$`),
};

/** Table for each part of a URL with 1 for each byte that must be escaped. */
const ESCAPED = Object.fromEntries(
  Object.entries(UNESCAPED).map(([part, pattern]) => [
    part,
    Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 0 : 1)),
  ]),
) as Readonly<Record<Part, Uint8Array>>;

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const HEX_DIGITS = utf8Bytes('0123456789ABCDEF');

function escape(bytes: string, part: Part): string {
  if (UNESCAPED[part].test(bytes)) return bytes;
  const isEscaped = ESCAPED[part];
  const escaped = new Uint8Array(3 * bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (isEscaped[byte] === 0) escaped[length++] = byte;
    else {
      escaped[length++] = PERCENT;
      escaped[length++] = HEX_DIGITS[byte >> 4] as number;
      escaped[length++] = HEX_DIGITS[byte & 15] as number;
    }
  }
  return utf8Text(escaped.subarray(0, length));
}

/** Returns true if a text needs no unescaping and has no invalid character. */
function isPlain(bytes: string, part: Part): boolean {
  if (bytes.includes('%') || (part === 'query' && bytes.includes('+'))) return false;
  return (part !== 'host' && part !== 'zone') || UNESCAPED.host.test(bytes);
}

function unescape(bytes: string, part: Part): string | Refusal {
  if (isPlain(bytes, part)) return bytes;
  const plain = unescaped(bytes, part);
  return plain instanceof Refusal ? plain : latin1Text(plain);
}

/** Returns the text of a name or a value in a query. */
function unescapeQuery(bytes: string): string | Refusal {
  if (isPlain(bytes, 'query')) return toText(bytes);
  const plain = unescaped(bytes, 'query');
  return plain instanceof Refusal ? plain : utf8Text(plain);
}

function unescaped(bytes: string, part: Part): Uint8Array | Refusal {
  const refusal = invalidEscape(bytes, part);
  if (refusal !== undefined) return refusal;
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i);
    if (byte === PERCENT) {
      plain[length++] = (hexValue(bytes, i + 1) << 4) + hexValue(bytes, i + 2);
      i += 2;
    } else plain[length++] = byte === PLUS && part === 'query' ? SPACE : byte;
  }
  return plain.subarray(0, length);
}

/** Returns the value of the hexadecimal digit at an index. Returns -1 if there is none. */
function hexValue(bytes: string, at: number): number {
  const code = bytes.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Returns the error of the first escape, or character of a host, that is not allowed in a part of a URL. Undefined if all are allowed. */
function invalidEscape(bytes: string, part: Part): Refusal | undefined {
  const isInHost = part === 'host' || part === 'zone';
  for (let i = isInHost ? 0 : bytes.indexOf('%'); i >= 0 && i < bytes.length; i = isInHost ? i + 1 : bytes.indexOf('%', i + 1)) {
    const byte = bytes.charCodeAt(i);
    if (byte !== PERCENT) {
      if (byte < 0x80 && ESCAPED.host[byte] === 1) return new Refusal(`invalid character ${goQuote(bytes.charAt(i))} in host name`);
      continue;
    }
    const [high, low] = [hexValue(bytes, i + 1), hexValue(bytes, i + 2)];
    if (high < 0 || low < 0 || !isEscapeAllowed((high << 4) + low, part))
      return new Refusal(`invalid URL escape ${goQuote(toText(bytes.slice(i, i + 3)))}`);
    i += 2;
  }
  return undefined;
}

/**
 * Returns true if an escape is allowed in a part of a URL. A host may escape only non-ASCII bytes. A zone may escape only spaces and
 * characters that it may also contain unescaped.
 */
function isEscapeAllowed(code: number, part: Part): boolean {
  if (code === PERCENT) return true;
  if (part === 'host') return code >= 0x80;
  return part !== 'zone' || code === SPACE || ESCAPED.host[code] === 0;
}

/**
 * Parses an absolute URI or an absolute path. A `#` is an ordinary character and does not start a fragment. Source: Go net/url
 * `ParseRequestURI`.
 */
export function parseRequestUri(text: string): UrlResult {
  const url = parse(toBytes(text), 'requestUri');
  return url instanceof Refusal ? { ok: false, error: `parse ${goQuote(text)}: ${url.message}` } : { ok: true, url };
}

/** Parses any URL reference. Source: Go net/url `Parse`. */
export function parseUrl(text: string): UrlResult {
  const hash = text.indexOf('#');
  const withoutFragment = hash < 0 ? text : text.slice(0, hash);
  const url = parse(toBytes(withoutFragment), 'reference');
  if (url instanceof Refusal) return { ok: false, error: `parse ${goQuote(withoutFragment)}: ${url.message}` };
  const written = hash < 0 ? '' : toBytes(text.slice(hash + 1));
  if (written === '') return { ok: true, url };
  const fragment = unescape(written, 'fragment');
  if (fragment instanceof Refusal) return { ok: false, error: `parse ${goQuote(text)}: ${fragment.message}` };
  return { ok: true, url: { ...url, fragment, rawFragment: escape(fragment, 'fragment') === written ? '' : written } };
}

const NOTHING: Url = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  omitHost: false,
  writtenPath: '',
  forceQuery: false,
  rawQuery: '',
  fragment: '',
  rawFragment: '',
};

function parse(bytes: string, kind: 'requestUri' | 'reference'): Url | Refusal {
  const viaRequest = kind === 'requestUri';
  if (/[\0-\x1f\x7f]/.test(bytes)) return new Refusal('net/url: invalid control character in URL');
  if (bytes === '' && viaRequest) return new Refusal('empty url');
  if (bytes === '*') return { ...NOTHING, writtenPath: '*' };
  if (bytes.startsWith(':')) return new Refusal('missing protocol scheme');
  const colon = bytes.indexOf(':');
  const hasScheme = colon > 0 && /^[A-Za-z][A-Za-z0-9+\-.]*$/.test(bytes.slice(0, colon));
  const url = cutQuery(hasScheme ? bytes.slice(0, colon).toLowerCase() : '', hasScheme ? bytes.slice(colon + 1) : bytes);
  const { scheme, rest } = url;
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...NOTHING, scheme, opaque: rest, rawQuery: url.rawQuery, forceQuery: url.forceQuery };
    if (viaRequest) return new Refusal('invalid URI for request');
    if ((rest.split('/')[0] as string).includes(':')) return new Refusal('first path segment in URL cannot contain colon');
  }
  return parseHierarchy(url, viaRequest);
}

/** Intermediate result of parsing a URL, after the scheme and the query were cut off. */
interface Cut extends Pick<Url, 'scheme' | 'rawQuery' | 'forceQuery'> {
  /** Text between the scheme and the query. */
  readonly rest: string;
}

function cutQuery(scheme: string, rest: string): Cut {
  const question = rest.indexOf('?');
  if (question < 0) return { scheme, rest, rawQuery: '', forceQuery: false };
  return { scheme, rest: rest.slice(0, question), rawQuery: rest.slice(question + 1), forceQuery: question === rest.length - 1 };
}

function parseHierarchy({ scheme, rest, rawQuery, forceQuery }: Cut, viaRequest: boolean): Url | Refusal {
  let pathText = rest;
  let authority: Pick<Url, 'user' | 'host'> | Refusal = { user: undefined, host: '' };
  let omitHost = false;
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    pathText = slash < 0 ? '' : rest.slice(slash);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    if (authority instanceof Refusal) return authority;
  } else if (scheme !== '' && rest.startsWith('/')) omitHost = true;
  const refusal = invalidEscape(pathText, 'path');
  if (refusal !== undefined) return refusal;
  const { user, host } = authority;
  return { scheme, opaque: '', user, host, omitHost, writtenPath: pathText, forceQuery, rawQuery, fragment: '', rawFragment: '' };
}

function parseAuthority(scheme: string, authority: string): Pick<Url, 'user' | 'host'> | Refusal {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (host instanceof Refusal) return host;
  if (at < 0) return { user: undefined, host };
  const info = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) return new Refusal('net/url: invalid userinfo');
  const colon = info.indexOf(':');
  const name = unescape(colon < 0 ? info : info.slice(0, colon), 'userPassword');
  if (name instanceof Refusal) return name;
  const password = colon < 0 ? undefined : unescape(info.slice(colon + 1), 'userPassword');
  return password instanceof Refusal ? password : { user: { name, password }, host };
}

const isPort = (text: string): boolean => /^(?::\d*)?$/.test(text);

function parseHost(scheme: string, host: string): string | Refusal {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return new Refusal('invalid IP-literal');
  if (bracket === 0) return parseBracketedHost(host);
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0 && !isPort(host.slice(colon))) return new Refusal(`invalid port ${goQuote(toText(host.slice(colon)))} after host`);
  return unescape(host, 'host');
}

function parseBracketedHost(host: string): string | Refusal {
  const close = host.lastIndexOf(']');
  if (close < 0) return new Refusal("missing ']' in host");
  const port = host.slice(close + 1);
  if (!isPort(port)) return new Refusal(`invalid port ${goQuote(toText(port))} after host`);
  const inner = host.slice(1, close);
  const zoneAt = inner.indexOf('%25');
  const address = unescape(zoneAt < 0 ? inner : inner.slice(0, zoneAt), 'host');
  if (address instanceof Refusal) return address;
  const zone = zoneAt < 0 ? '' : unescape(inner.slice(zoneAt), 'zone');
  if (zone instanceof Refusal) return zone;
  const parsed = parseIp(toText(address + zone));
  if (!parsed.ok) return new Refusal(`invalid host: ${parsed.error}`);
  return parsed.address.bytes.length === 4 ? new Refusal('invalid IP-literal') : `[${address}${zone}]${port}`;
}

/** Pattern for paths that Go prints without a change, because all characters may be in a path. */
const VALID_PATH = /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/]*$/;

/**
 * Returns the path with escapes: the written path, or the path with the default escapes. Go stores the path without escapes and, if its
 * default escapes differ from the written ones, the written path. In both cases, a valid written path is the result.
 */
function escapedPath({ writtenPath }: Url): string {
  if (VALID_PATH.test(writtenPath)) return writtenPath === '%2A' ? '*' : writtenPath;
  return escape(unescape(writtenPath, 'path') as string, 'path');
}

function escapedFragment({ fragment, rawFragment }: Url): string {
  if (rawFragment !== '' && /^[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]%/?]*$/.test(rawFragment)) return rawFragment;
  return escape(fragment, 'fragment');
}

function splitHostPort({ host }: Url): readonly [name: string, port: string] {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  return [name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name, hasPort ? host.slice(colon + 1) : ''];
}

/**
 * Functions that return parts of a URL as text. `urlHost` is the host with port, `urlHostname` the host without port and brackets,
 * `urlPort` the port or an empty text, and `urlEscapedPath` the escaped path. Source: Go net/url.
 */
export const urlHost = (url: Url): string => toText(url.host);
export const urlHostname = (url: Url): string => toText(splitHostPort(url)[0]);
export const urlPort = (url: Url): string => toText(splitHostPort(url)[1]);
export const urlEscapedPath = (url: Url): string => toText(escapedPath(url));

/** Maximum number of parameters of a query that Go reads. Source: Go net/url `defaultMaxParams` (1.26). */
const MAX_PARAMETERS = 10_000;

/**
 * Returns the values of query parameters by name, in their order. Parameters that cannot be unescaped are left out. Returns an empty map if
 * the query has more than 10,000 parameters. Source: Go net/url `parseQuery` (1.26).
 */
export function urlQuery({ rawQuery }: Url): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  const pairs = rawQuery.split('&');
  if (pairs.length > MAX_PARAMETERS) return query;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals));
    const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1));
    if (name instanceof Refusal || value instanceof Refusal) continue;
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return query;
}

/** Returns the URL as text. Source: Go net/url `URL.String`. */
export function formatUrl(url: Url): string {
  let text = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') text += url.opaque;
  else {
    const hasAuthority = url.host !== '' || url.user !== undefined;
    if ((url.scheme !== '' || hasAuthority) && (!url.omitHost || hasAuthority)) text += formatAuthority(url);
    const path = escapedPath(url);
    if (path !== '' && !path.startsWith('/') && url.host !== '') text += '/';
    if (text === '' && (path.split('/')[0] as string).includes(':')) text += './';
    text += path;
  }
  if (url.forceQuery || url.rawQuery !== '') text += `?${url.rawQuery}`;
  if (url.fragment !== '') text += `#${escapedFragment(url)}`;
  return toText(text);
}

function formatAuthority({ host, writtenPath, user }: Url): string {
  const slashes = host !== '' || writtenPath !== '' || user !== undefined ? '//' : '';
  const password = user?.password === undefined ? '' : `:${escape(user.password, 'userPassword')}`;
  return `${slashes}${user === undefined ? '' : `${escape(user.name, 'userPassword')}${password}@`}${escape(host, 'host')}`;
}
