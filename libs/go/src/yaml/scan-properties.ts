import { decodeUtf8 } from '../json/decode-text.ts';
import { hexValue, isBlank, isBreakOrEnd, isDigit, isGapOrEnd, isUri, isWord } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { widthOf } from './source-text.ts';
import { YamlToken } from './token.ts';

const BANG = 0x21;
const PERCENT = 0x25;
/** Characters that may directly follow the name of an anchor or alias, in addition to blanks and line ends: `?:,]}%@` and a backquote. */
const AFTER_ANCHOR: ReadonlySet<number> = new Set([0x3f, 0x3a, 0x2c, 0x5d, 0x7d, PERCENT, 0x40, 0x60]);

/**
 * Scans an anchor (`&name`) or alias (`*name`) at the cursor, and returns its token. Source: go.yaml.in/yaml/v2 scannerc.go
 * `yaml_parser_scan_anchor`.
 */
export function scanAnchor(cursor: Cursor, kind: 'anchor' | 'alias'): YamlToken {
  const start = cursor.mark();
  cursor.at += 1;
  const name = readWord(cursor);
  const { code } = cursor;
  if (name === '' || !(isGapOrEnd(code) || AFTER_ANCHOR.has(code))) {
    throw cursor.fail('did not find expected alphabetic or numeric character');
  }
  return new YamlToken(kind, start, cursor.at, name);
}

/** Returns a tag: `!<uri>`, `!suffix`, `!!suffix`, `!handle!suffix` or `!`. Source: go.yaml.in/yaml/v2 scannerc.go `yaml_parser_scan_tag`. */
export function scanTag(cursor: Cursor): YamlToken {
  const start = cursor.mark();
  cursor.need(2);
  let handle = '';
  let suffix: string;
  if (cursor.text.charCodeAt(cursor.at + 1) === 0x3c) {
    cursor.at += 2;
    suffix = scanUri(cursor, '');
    if (cursor.code !== 0x3e) throw cursor.fail("did not find the expected '>'");
    cursor.at += 1;
  } else {
    const head = scanHandle(cursor, 'tag');
    if (head.length > 1 && head.endsWith('!')) {
      handle = head;
      suffix = scanUri(cursor, '');
    } else {
      suffix = scanUri(cursor, head);
      handle = '!';
      if (suffix === '') [handle, suffix] = ['', '!'];
    }
  }
  cursor.need(1);
  if (!isGapOrEnd(cursor.code)) throw cursor.fail('did not find expected whitespace or line break');
  return new YamlToken('tag', start, cursor.at, handle, suffix);
}

/** Returns the handle and prefix of a `%TAG` directive. Source: go.yaml.in/yaml/v2 scannerc.go `yaml_parser_scan_tag_directive_value`. */
function scanTagDirective(cursor: Cursor): { readonly handle: string; readonly prefix: string } {
  skipBlanks(cursor);
  const handle = scanHandle(cursor, 'directive');
  cursor.need(1);
  if (!isBlank(cursor.code)) throw cursor.fail('did not find expected whitespace');
  skipBlanks(cursor);
  const prefix = scanUri(cursor, '');
  cursor.need(1);
  if (!isGapOrEnd(cursor.code)) throw cursor.fail('did not find expected whitespace or line break');
  return { handle, prefix };
}

/** Moves past spaces and tabs. */
function skipBlanks(cursor: Cursor): void {
  cursor.need(1);
  while (isBlank(cursor.code)) cursor.at += 1;
  cursor.need(1);
}

/** Moves past letters, digits, `_` and `-`, and returns them. */
function readWord(cursor: Cursor): string {
  const from = cursor.at;
  cursor.need(1);
  while (isWord(cursor.code)) cursor.at += 1;
  cursor.need(1);
  return cursor.text.slice(from, cursor.at);
}

function scanHandle(cursor: Cursor, place: 'tag' | 'directive'): string {
  cursor.need(1);
  if (cursor.code !== BANG) throw cursor.fail("did not find expected '!'");
  cursor.at += 1;
  const name = readWord(cursor);
  if (cursor.code === BANG) {
    cursor.at += 1;
    return `!${name}!`;
  }
  if (place === 'directive' && name !== '') throw cursor.fail("did not find expected '!'");
  return `!${name}`;
}

/**
 * Returns the rest of a tag. `head` is the part that was already read as a possible handle. The `!` at the beginning of `head` is not part
 * of the result.
 */
function scanUri(cursor: Cursor, head: string): string {
  const { text } = cursor;
  let uri = head.slice(1);
  let found = head !== '';
  cursor.need(1);
  for (; isUri(cursor.code); found = true) {
    if (cursor.code === PERCENT) {
      uri += scanEscapedCharacter(cursor);
      continue;
    }
    const from = cursor.at;
    while (cursor.code !== PERCENT && isUri(cursor.code)) cursor.at += 1;
    uri += text.slice(from, cursor.at);
  }
  cursor.need(1);
  if (!found) throw cursor.fail('did not find expected tag URI');
  return uri;
}

/** Returns one character whose UTF-8 bytes are written as `%xx` escapes. */
function scanEscapedCharacter(cursor: Cursor): string {
  const { text } = cursor;
  const octets: number[] = [];
  let width = 0;
  do {
    cursor.need(3);
    const high = hexValue(text.charCodeAt(cursor.at + 1));
    const low = hexValue(text.charCodeAt(cursor.at + 2));
    if (cursor.code !== PERCENT || high < 0 || low < 0) throw cursor.fail('did not find URI escaped octet');
    const octet = high * 16 + low;
    if (width === 0) {
      width = widthOf(octet);
      if (width === 0) throw cursor.fail('found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) {
      throw cursor.fail('found an incorrect trailing UTF-8 octet');
    }
    octets.push(octet);
    cursor.at += 3;
  } while (octets.length < width);
  return decodeUtf8(Uint8Array.from(octets));
}

/** Maximum number of digits of a number in `%YAML`. */
const MAX_NUMBER_LENGTH = 2;

/** Scans `%YAML 1.1` or `%TAG ! prefix`, with the rest of its line. Source: go.yaml.in/yaml/v2 scannerc.go `yaml_parser_scan_directive`. */
export function scanDirective(cursor: Cursor): YamlToken {
  const start = cursor.mark();
  cursor.at += 1;
  const token = scanContent(cursor, scanName(cursor));
  skipBlanks(cursor);
  if (cursor.code === 0x23) cursor.skipLineContent();
  if (!isBreakOrEnd(cursor.code)) throw cursor.fail('did not find expected comment or line break');
  cursor.skipBreak();
  return token;

  function scanContent(at: Cursor, name: string): YamlToken {
    if (name === 'YAML') {
      const version = scanVersion(at);
      return new YamlToken('version directive', start, at.at, version);
    }
    if (name !== 'TAG') throw at.fail('found unknown directive name');
    const { handle, prefix } = scanTagDirective(at);
    return new YamlToken('tag directive', start, at.at, handle, prefix);
  }
}

function scanName(cursor: Cursor): string {
  const name = readWord(cursor);
  if (name === '') throw cursor.fail('could not find expected directive name');
  if (!isGapOrEnd(cursor.code)) throw cursor.fail('found unexpected non-alphabetical character');
  return name;
}

function scanVersion(cursor: Cursor): string {
  skipBlanks(cursor);
  const major = scanNumber(cursor);
  if (cursor.code !== 0x2e) throw cursor.fail("did not find expected digit or '.' character");
  cursor.at += 1;
  return `${major}.${scanNumber(cursor)}`;
}

function scanNumber(cursor: Cursor): number {
  cursor.need(1);
  const from = cursor.at;
  while (isDigit(cursor.code)) {
    if (cursor.at - from === MAX_NUMBER_LENGTH) throw cursor.fail('found extremely long version number');
    cursor.at += 1;
    cursor.need(1);
  }
  if (cursor.at === from) throw cursor.fail('did not find expected version number');
  return Number(cursor.text.slice(from, cursor.at));
}
