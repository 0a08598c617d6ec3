const CONTROL = /[\u0000-\u001f\u007f]/;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
/** What a host may hold besides letters, digits, non-ASCII and escapes of non-ASCII. */
const HOST = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\u{10ffff}]|%[89a-fA-F][0-9a-fA-F])*$/u;
const USER = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const PORT = /^(?::\d*)?$/;

/** Splits off the scheme; undefined when the text begins with a colon. Source: Go net/url `getScheme`. */
function splitScheme(text: string): { scheme: string; rest: string } | undefined {
  const match = /^([A-Za-z][A-Za-z0-9+\-.]*):/.exec(text);
  if (match !== null) return { scheme: match[1] as string, rest: text.slice(match[0].length) };
  return text.startsWith(':') ? undefined : { scheme: '', rest: text };
}

function isHost(host: string): boolean {
  const open = host.indexOf('[');
  if (open > 0) return false;
  if (open === 0) {
    const close = host.lastIndexOf(']');
    if (close < 0 || !PORT.test(host.slice(close + 1))) return false;
    const [address, zone] = host.slice(1, close).split('%25', 2) as [string, string | undefined];
    return /^[0-9a-fA-F:.]*$/.test(address) && address.includes(':') && (zone === undefined || !BAD_ESCAPE.test(zone));
  }
  const colon = host.lastIndexOf(':');
  return HOST.test(host) && (colon < 0 || PORT.test(host.slice(colon)));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  return isHost(authority.slice(at + 1)) && USER.test(user) && !BAD_ESCAPE.test(user);
}

/** `uri`: an absolute URI or an absolute path. Source: Go net/url/url.go `ParseRequestURI`. */
export function isRequestUri(text: string): boolean {
  if (CONTROL.test(text) || text === '') return false;
  if (text === '*') return true;
  const split = splitScheme(text);
  if (split === undefined) return false;
  const question = split.rest.indexOf('?');
  const rest = question < 0 ? split.rest : split.rest.slice(0, question);
  if (!rest.startsWith('/')) return split.scheme !== '';
  let path = rest;
  if (split.scheme !== '' && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    if (!isAuthority(slash < 0 ? rest.slice(2) : rest.slice(2, slash))) return false;
    path = slash < 0 ? '' : rest.slice(slash);
  }
  return !BAD_ESCAPE.test(path);
}
