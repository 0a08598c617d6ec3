import { isIPText } from './network.ts';
import { utf8Length } from '#go';

/** Character sets that Go can decode without a charset reader from the caller. */
const KNOWN_CHARSETS: readonly string[] = ['utf-8', 'iso-8859-1', 'us-ascii'];
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const QUOTED_PRINTABLE = /^(?:=[0-9A-Fa-f]{2}|[ -<>-~])*$/;
const ENCODINGS: Readonly<Record<string, RegExp>> = { b: BASE64, B: BASE64, q: QUOTED_PRINTABLE, Q: QUOTED_PRINTABLE };

/**
 * Kind of a word in the display name of an email address: a plain word or an encoded word (RFC 2047). An encoded word may have no text or
 * an unknown charset.
 */
type WordKind = 'plain' | 'encoded' | 'encoded without text' | 'of an unknown charset';

/**
 * Returns the kind of an atom (word) in the display name of an email address. A malformed encoded word counts as a plain word. Source: Go
 * mime/encodedword.go `WordDecoder.Decode`, net/mail/message.go `decodeRFC2047Word` (1.26).
 */
function wordKind(atom: string): WordKind {
  if (utf8Length(atom) < 8 || !atom.startsWith('=?') || !atom.endsWith('?=')) return 'plain';
  const [charset = '', encoding = '', content, ...more] = atom.slice(2, -2).split('?');
  if (content === undefined || more.length > 0 || charset === '') return 'plain';
  if (!Object.hasOwn(ENCODINGS, encoding) || ENCODINGS[encoding]?.test(content) !== true) return 'plain';
  // Go treats the long s as an s if it ignores case.
  if (!KNOWN_CHARSETS.includes(charset.toLowerCase().replaceAll('ſ', 's'))) return 'of an unknown charset';
  return content === '' ? 'encoded without text' : 'encoded';
}

const ATEXT = /^[^\u0000- ()<>[\]:;@\\,"\u007f]$/u;
const VISIBLE_OR_BLANK = /^[^\u0000-\u0008\u000a-\u001f\u007f]$/u;
const DTEXT = /^[^\u0000- [\]\\\u007f]$/u;

/**
 * Parser for the text of one mailbox: `a@b.c`, `Name <a@b.c>`, `"quoted" <a@b.c>` or `Group: a@b.c;`. Comments are accepted wherever Go
 * accepts them. Source: Go net/mail/message.go `ParseAddress` (1.26).
 */
class MailboxReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = [...text];
  }

  /** Returns true if the whole text is exactly one address, possibly inside a group. */
  isMailbox(): boolean {
    return this.#addresses('addressOrGroup') === 1 && this.#comments() && this.#peek() === undefined;
  }

  /**
   * Reads an address, or also a group if `accepted` is `addressOrGroup`. Returns the number of addresses that were read, or undefined if the
   * text is invalid.
   */
  #addresses(accepted: 'address' | 'addressOrGroup'): number | undefined {
    this.#skipBlanks();
    if (this.#peek() === undefined) return undefined;
    const start = this.#at;
    if (this.#addrSpec()) {
      this.#skipBlanks();
      return this.#peek() !== '(' || this.#comment() ? 1 : undefined;
    }
    this.#at = start;
    if (this.#peek() !== '<' && !this.#phrase()) return undefined;
    this.#skipBlanks();
    if (accepted === 'addressOrGroup' && this.#take(':')) return this.#group();
    return this.#take('<') && this.#addrSpec() && this.#take('>') ? 1 : undefined;
  }

  #group(): number | undefined {
    this.#skipBlanks();
    if (this.#take(';')) return this.#comments() ? 0 : undefined;
    for (let count = 0; ;) {
      const found = this.#addresses('address');
      if (found === undefined || !this.#comments()) return undefined;
      count += found;
      if (this.#take(';')) return this.#comments() ? count : undefined;
      if (!this.#take(',')) return undefined;
    }
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #takeWhile(allowed: RegExp): string {
    const start = this.#at;
    while (this.#peek() !== undefined && allowed.test(this.#peek() as string)) this.#at += 1;
    return this.#characters.slice(start, this.#at).join('');
  }

  #skipBlanks(): void {
    while (this.#take(' ') || this.#take('\t'));
  }

  /** Skips blanks and comments. Returns false if a comment has no closing parenthesis. */
  #comments(): boolean {
    for (;;) {
      this.#skipBlanks();
      if (this.#peek() !== '(') return true;
      if (!this.#comment()) return false;
    }
  }

  #comment(): boolean {
    for (let depth = 0; ;) {
      const character = this.#peek();
      if (character === undefined) return false;
      this.#at += 1;
      if (character === '\\' && this.#peek() !== undefined) this.#at += 1;
      else if (character === '(') depth += 1;
      else if (character === ')' && --depth === 0) return true;
    }
  }

  #addrSpec(): boolean {
    this.#skipBlanks();
    if (this.#peek() === '"') {
      const start = this.#at;
      if (!this.#quotedString() || this.#at - start === 2) return false;
    } else if (!this.#dotAtom()) return false;
    if (!this.#take('@')) return false;
    this.#skipBlanks();
    return this.#peek() === '[' ? this.#domainLiteral() : this.#dotAtom();
  }

  #domainLiteral(): boolean {
    this.#at += 1;
    const literal = this.#takeWhile(DTEXT);
    return this.#take(']') && isIPText(literal);
  }

  /** Reads atoms that are joined by single dots. Returns false if there is no atom or a dot is misplaced. */
  #dotAtom(): boolean {
    const atom = this.#takeWhile(ATEXT);
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  #quotedString(): boolean {
    this.#at += 1;
    for (;;) {
      if (this.#take('"')) return true;
      this.#take('\\');
      if (!VISIBLE_OR_BLANK.test(this.#peek() ?? '')) return false;
      this.#at += 1;
    }
  }

  /**
   * Reads the words of a display name and stops at the first character that cannot belong to a word. Comments may follow the first word
   * that is not encoded. Returns false if no word precedes that character, or if a comment is not closed.
   */
  #phrase(): boolean {
    let plain = 0;
    let encoded = 0;
    for (;;) {
      if (plain > 0 && !this.#comments()) return false;
      this.#skipBlanks();
      const start = this.#at;
      if (this.#peek() === undefined) return true;
      const kind = this.#word();
      if (kind === 'none') this.#at = start;
      if (kind === 'none' || kind === 'of an unknown charset') return plain + encoded > 0;
      if (kind === 'encoded') encoded += 1;
      if (kind === 'plain') plain += 1;
    }
  }

  #word(): 'none' | WordKind {
    if (this.#peek() === '"') return this.#quotedString() ? 'plain' : 'none';
    const atom = this.#takeWhile(ATEXT);
    return atom === '' ? 'none' : wordKind(atom);
  }
}

/** Returns true if the text has the format `email`. */
export function isEmail(text: string): boolean {
  return new MailboxReader(text).isMailbox();
}
