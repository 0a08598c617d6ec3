import { END_OF_TEXT, isBlank, isGapOrEnd, isSpace } from './cursor.ts';
import type { Cursor } from './cursor.ts';
import { scanBlockScalar } from './scan-block-scalar.ts';
import { scanAnchor, scanDirective, scanTag } from './scan-properties.ts';
import { scanPlainScalar, scanQuotedScalar } from './scan-flow-scalar.ts';
import { SimpleKeys } from './simple-keys.ts';
import { YamlToken } from './token.ts';
import type { Mark, YamlTokenKind } from './token.ts';

/**
 * Maximum nesting depth of flow collections, and of indentation levels, as in go-yaml. Source: scannerc.go `max_flow_level`, `max_indents`.
 */
const MAX_DEPTH = 10_000;
/** Maximum number of delivered tokens that stay in the queue before they are removed. */
const QUEUE_SLACK = 512;

/**
 * Scanner that divides a text into tokens by the rules of libyaml in go.yaml.in/yaml/v2. Changes of indentation produce tokens for the
 * start and end of collections. A `:` makes the token before it a key. Source: scannerc.go `yaml_parser_fetch_next_token`.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #keys: SimpleKeys;
  /** Queue of scanned tokens. The tokens before the index `#head` are already delivered. */
  #queue: YamlToken[] = [];
  #head = 0;
  /** Number of tokens delivered so far. */
  #delivered = 0;
  /** True if it is certain that no key begins with the token at the head of the queue. */
  #settled = false;
  #flowLevel = 0;
  /** Column of the innermost block collection, or -1 outside of all block collections. */
  #indent = -1;
  readonly #indents: number[] = [];
  #keyAllowed = true;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#keys = new SimpleKeys(cursor);
  }

  /**
   * Returns the next token without consuming it. After the end of the stream, it always returns the stream-end token. Throws YamlError if
   * the text is invalid.
   */
  peek(): YamlToken {
    if (!this.#settled) this.#settle();
    return this.#queue[this.#head] as YamlToken;
  }

  /** Consumes the token that {@link peek} returned. */
  skip(): void {
    this.#settled = false;
    this.#delivered += 1;
    this.#head += 1;
    if (this.#head === this.#queue.length) {
      this.#queue.length = 0;
      this.#head = 0;
    } else if (this.#head > QUEUE_SLACK) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
  }

  /**
   * Scans until the first token of the queue is certain. Until then, a `key` token may still be inserted before the tokens in the queue.
   */
  #settle(): void {
    while (this.#head === this.#queue.length || this.#keys.mayBegin(this.#queue[this.#head] as YamlToken)) this.#scanNext();
    this.#settled = true;
  }

  #scanNext(): void {
    const cursor = this.#cursor;
    cursor.step();
    this.#skipToToken();
    this.#closeBlocks(cursor.column);
    cursor.need(4);
    const { code } = cursor;
    if (cursor.column === 0) {
      if (code === 0x25) return this.#directive();
      if (cursor.atDocumentMarker()) return this.#documentMarker(code === 0x2d ? 'document start' : 'document end');
    }
    switch (code) {
      case END_OF_TEXT:
        return this.#streamEnd();
      case 0x5b: // [
        return this.#flowStart('flow sequence start');
      case 0x7b: // {
        return this.#flowStart('flow mapping start');
      case 0x5d: // ]
        return this.#flowEnd('flow sequence end');
      case 0x7d: // }
        return this.#flowEnd('flow mapping end');
      case 0x2c: // ,
        return this.#flowEntry();
      case 0x2a: // *
        return this.#property(() => scanAnchor(cursor, 'alias'));
      case 0x26: // &
        return this.#property(() => scanAnchor(cursor, 'anchor'));
      case 0x21: // !
        return this.#property(() => scanTag(cursor));
      case 0x27: // '
      case 0x22: // "
        return this.#property(() => scanQuotedScalar(cursor));
      case 0x7c: // |
      case 0x3e: // >
        if (this.#flowLevel === 0) return this.#blockScalar();
        break;
      case 0x2d: // -
        if (isGapOrEnd(this.#following())) return this.#blockEntry();
        return this.#plainScalar();
      case 0x3f: // ?
        if (this.#flowLevel > 0 || isGapOrEnd(this.#following())) return this.#key();
        return this.#plainScalar();
      case 0x3a: // :
        if (this.#flowLevel > 0 || isGapOrEnd(this.#following())) return this.#value();
        return this.#plainScalar();
      case 0x23: // #
      case 0x25: // %
      case 0x40: // @
      case 0x60: // `
        break;
      default:
        if (!isBlank(code)) return this.#plainScalar();
    }
    throw cursor.fail('found character that cannot start any token');
  }

  #following(): number {
    return this.#cursor.text.charCodeAt(this.#cursor.at + 1);
  }

  /** Skips white space, comments and line ends. Tabs count as white space only if no block key may begin at this position. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    const { text } = cursor;
    for (;;) {
      cursor.need(1);
      cursor.skipByteOrderMark();
      let { at } = cursor;
      let code = text.charCodeAt(at);
      const space = this.#flowLevel > 0 || !this.#keyAllowed ? isBlank : isSpace;
      while (space(code)) code = text.charCodeAt(++at);
      cursor.at = at;
      cursor.need(1);
      if (code === 0x23) cursor.skipLineContent();
      const { line } = cursor;
      cursor.skipBreak();
      if (cursor.line === line) return;
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #append(kind: YamlTokenKind, start: Mark = this.#cursor.mark()): YamlToken {
    const token = new YamlToken(kind, start, this.#cursor.at);
    this.#queue.push(token);
    return token;
  }

  /** Appends a token of `width` characters and moves past these characters. */
  #indicator(kind: YamlTokenKind, width = 1): YamlToken {
    const start = this.#cursor.mark();
    this.#cursor.at += width;
    return this.#append(kind, start);
  }

  /**
   * Inserts a token before the token with the number `number`, counted from the beginning of the text. If that token was already delivered,
   * or if `number` is -1, the new token is appended to the queue.
   */
  #insert(kind: YamlTokenKind, start: Mark, number: number): void {
    const token = new YamlToken(kind, start, start.offset);
    const place = number - this.#delivered;
    if (place < 0) this.#queue.push(token);
    else this.#queue.splice(this.#head + place, 0, token);
  }

  /**
   * Starts a block collection if its column is greater than the column of the innermost block collection. Does nothing inside a flow
   * collection. `number` is the number of the token before which the start is inserted, or -1 to append it.
   */
  #openBlock(kind: YamlTokenKind, start: Mark, number: number): void {
    if (this.#flowLevel > 0 || this.#indent >= start.column) return;
    this.#indents.push(this.#indent);
    this.#indent = start.column;
    if (this.#indents.length > MAX_DEPTH) throw this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.#insert(kind, start, number);
  }

  /** Ends the block collections whose column is greater than `column`. */
  #closeBlocks(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#append('block end');
      this.#indent = this.#indents.pop() as number;
    }
  }

  /** Records that a key may begin at the current position, if a key is allowed there. Returns true if it is allowed. */
  #saveKey(): boolean {
    const allowed = this.#keyAllowed;
    if (allowed) {
      const required = this.#flowLevel === 0 && this.#indent === this.#cursor.column;
      this.#keys.save(this.#delivered + this.#queue.length - this.#head, required);
    }
    return allowed;
  }

  #endDocumentContent(): void {
    this.#closeBlocks(-1);
    this.#keys.remove();
    this.#keyAllowed = false;
  }

  #streamEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.line += 1;
      cursor.lineStart = cursor.at;
    }
    this.#endDocumentContent();
    this.#append('stream end');
  }

  #directive(): void {
    this.#endDocumentContent();
    this.#queue.push(scanDirective(this.#cursor));
  }

  #documentMarker(kind: YamlTokenKind): void {
    this.#endDocumentContent();
    this.#indicator(kind, 3);
  }

  #flowStart(kind: YamlTokenKind): void {
    const number = this.#delivered + this.#queue.length - this.#head;
    const saved = this.#saveKey();
    const outer = this.#keys;
    this.#flowLevel += 1;
    if (this.#flowLevel > MAX_DEPTH) throw this.#cursor.fail(`exceeded max depth of ${MAX_DEPTH}`);
    this.#keyAllowed = true;
    const token = this.#indicator(kind);
    if (saved) outer.hold(token);
    outer.open(number, token);
  }

  #flowEnd(kind: YamlTokenKind): void {
    this.#keys.remove();
    if (this.#flowLevel > 0) {
      this.#flowLevel -= 1;
      this.#keys.close();
    }
    this.#keyAllowed = false;
    this.#indicator(kind);
  }

  #flowEntry(): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#indicator('flow entry');
  }

  #blockEntry(): void {
    const cursor = this.#cursor;
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw cursor.fail('block sequence entries are not allowed in this context');
      this.#openBlock('block sequence start', cursor.mark(), -1);
    }
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#indicator('block entry');
  }

  #key(): void {
    const cursor = this.#cursor;
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw cursor.fail('mapping keys are not allowed in this context');
      this.#openBlock('block mapping start', cursor.mark(), -1);
    }
    this.#keys.remove();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#indicator('key');
  }

  #value(): void {
    const cursor = this.#cursor;
    const key = this.#keys.current;
    if (this.#keys.isValid(key)) {
      this.#insert('key', key.mark, key.number);
      this.#openBlock('block mapping start', key.mark, key.number);
      this.#keys.take();
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) throw cursor.fail('mapping values are not allowed in this context');
        this.#openBlock('block mapping start', cursor.mark(), -1);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#indicator('value');
  }

  /** Scans an alias, anchor, tag or quoted scalar. A key may begin with such a token, but not directly after it. */
  #property(scan: () => YamlToken): void {
    const saved = this.#saveKey();
    this.#keyAllowed = false;
    const token = scan();
    if (saved) this.#keys.hold(token);
    this.#queue.push(token);
  }

  #blockScalar(): void {
    this.#keys.remove();
    this.#keyAllowed = true;
    this.#queue.push(scanBlockScalar(this.#cursor, this.#indent));
  }

  #plainScalar(): void {
    const saved = this.#saveKey();
    this.#keyAllowed = false;
    const token = scanPlainScalar(this.#cursor, this.#indent, this.#flowLevel > 0 ? 'flow' : 'block');
    if (saved) this.#keys.hold(token);
    this.#queue.push(token);
    // If the scalar ended with a line break, a key may follow.
    if (this.#cursor.lineStart > token.end) this.#keyAllowed = true;
  }
}
