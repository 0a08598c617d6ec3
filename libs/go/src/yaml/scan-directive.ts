import { isBreakOrEnd, isDigit, isGapOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { readWord, scanTagDirective, skipBlanks } from './scan-properties.ts';
import { YamlToken } from './token.ts';

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
