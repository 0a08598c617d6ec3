import { goQuoteRune, goQuoteBytes, isPrintable } from '../text/quote.ts';
import { decodeWellFormed, runeBytes } from './decode-text.ts';

/** Error for JSON that ends too early. Source: Go encoding/json. */
const END = 'unexpected end of JSON input';

/** Words of Go's errors about invalid JSON, as far as they differ between versions of Go. */
interface SyntaxWords {
  /** Returns the quoted character at `at`. */
  readonly character: (bytes: Uint8Array, at: number) => string;
  /** Returns the error about the first bracket that nests too deep. */
  readonly tooDeep: (kind: 'object' | 'array') => string;
  /** Returns the error about an escape that begins at `start` and whose first wrong byte is at `at`. */
  readonly badEscape: (bytes: Uint8Array, start: number, at: number) => string;
  readonly inString: string;
  readonly afterPoint: string;
  readonly inExponent: string;
}

/**
 * Words of sigs.k8s.io/json, and of Go's encoding/json up to 1.26. They show single bytes. Source: sigs.k8s.io/json
 * internal/golang/encoding/json/scanner.go.
 */
const BYTE_WORDS: SyntaxWords = {
  character: quotedByte,
  tooDeep: (kind) => `invalid character '${kind === 'object' ? '{' : '['}' exceeded max depth`,
  badEscape: (bytes, start, at) =>
    `invalid character ${quotedByte(bytes, at)} in ${at === start + 1 ? 'string escape code' : '\\u hexadecimal character escape'}`,
  inString: 'in string literal',
  afterPoint: 'after decimal point in numeric literal',
  inExponent: 'in exponent of numeric literal',
};

/**
 * Words of Go's encoding/json since 1.27. They show whole runes and whole escapes. Source: Go encoding/json/internal/jsonwire/decode.go,
 * wire.go `InvalidTextError`, encoding/json/v2_scanner.go `syntaxErrorReplacer` (1.27).
 */
const RUNE_WORDS: SyntaxWords = {
  character: (bytes, at) => {
    const rune = decodeWellFormed(runeBytes(bytes, at));
    return rune === undefined ? `'\\x${(bytes[at] as number).toString(16)}'` : goQuoteRune(rune);
  },
  tooDeep: () => 'exceeded max depth',
  badEscape: (bytes, start) =>
    `invalid escape sequence ${quotedEscape(bytes.subarray(start, start + escapeLength(bytes, start)))} in string`,
  inString: 'in string',
  afterPoint: 'in numeric literal',
  inExponent: 'in numeric literal',
};

function quotedByte(bytes: Uint8Array, at: number): string {
  return goQuoteRune(String.fromCharCode(bytes[at] as number));
}

const escapeLength = (bytes: Uint8Array, start: number): number => (bytes[start + 1] === 0x75 ? 6 : 2);

function quotedEscape(escape: Uint8Array): string {
  const text = decodeWellFormed(escape);
  const isPlain = text !== undefined && Array.from(text).every((rune) => isPrintable(rune) && !NEEDS_QUOTES.has(rune));
  return isPlain ? `\`${text}\`` : goQuoteBytes(escape);
}

/** Printable runes that Go does not show between back-ticks. */
const NEEDS_QUOTES: ReadonlySet<string> = new Set(['`', ' ', '\ufffd']);

/** Maximum nesting depth that sigs.k8s.io/json accepts. */
export const MAX_DEPTH = 10_000;

/**
 * Returns the text of the first syntax error, in the words of Go's scanner. The bytes must be known to be invalid JSON. Source:
 * sigs.k8s.io/json internal/golang/encoding/json/scanner.go, Go encoding/json up to 1.26.
 */
export function describeSyntaxError(bytes: Uint8Array): string {
  // At the end of the text, Go passes one more space to its scanner.
  const closed = new Uint8Array(bytes.length + 1);
  closed.set(bytes);
  closed[bytes.length] = 0x20;
  return new Scanner(closed, BYTE_WORDS).firstError() ?? END;
}

/**
 * Returns the text of the first syntax error, in the words of Go's encoding/json since 1.27, which names whole runes and escapes. The bytes
 * must be known to be invalid JSON. Source: Go encoding/json/v2_scanner.go, jsontext/decode.go (1.27).
 */
export function describeRuneError(bytes: Uint8Array): string {
  return new Scanner(bytes, RUNE_WORDS).firstError() ?? END;
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isHex = (byte: number): boolean => isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/**
 * Scanner that processes bytes as Go's state machine does. It stores only the open containers and builds no values. Each method returns an
 * error text, or undefined if there is no error.
 */
class Scanner {
  readonly #bytes: Uint8Array;
  #at = 0;
  readonly #open: ('object' | 'array')[] = [];
  readonly #words: SyntaxWords;

  constructor(bytes: Uint8Array, words: SyntaxWords) {
    this.#bytes = bytes;
    this.#words = words;
  }

  firstError(): string | undefined {
    for (;;) {
      const broken = this.#value();
      if (broken !== undefined) return broken;
      const ended = this.#afterValue();
      if (ended !== undefined) return ended.error;
    }
  }

  #peek(): number | undefined {
    return this.#bytes[this.#at];
  }

  #skipSpace(): void {
    while (this.#at < this.#bytes.length && isSpace(this.#peek() as number)) this.#at += 1;
  }

  #unexpected(context: string): string {
    return this.#at < this.#bytes.length ? `invalid character ${this.#words.character(this.#bytes, this.#at)} ${context}` : END;
  }

  /** Reads up to the end of a scalar or the beginning of a container's first value. */
  #value(): string | undefined {
    for (;;) {
      this.#skipSpace();
      const byte = this.#peek();
      if (byte === 0x7b || byte === 0x5b) {
        const kind = byte === 0x7b ? 'object' : 'array';
        if (this.#open.length + 1 > MAX_DEPTH) return this.#words.tooDeep(kind);
        this.#open.push(kind);
        this.#at += 1;
        this.#skipSpace();
        if (this.#peek() === (kind === 'object' ? 0x7d : 0x5d)) {
          this.#at += 1;
          this.#open.pop();
          return undefined;
        }
        if (kind === 'object') {
          const broken = this.#key('looking for beginning of object key string');
          if (broken !== undefined) return broken;
        }
        continue;
      }
      if (byte === 0x22) return this.#string();
      if (byte === 0x2d || isDigit(byte)) return this.#number();
      if (byte === 0x74) return this.#literal('true');
      if (byte === 0x66) return this.#literal('false');
      if (byte === 0x6e) return this.#literal('null');
      return this.#unexpected('looking for beginning of value');
    }
  }

  #key(context: string): string | undefined {
    if (this.#peek() !== 0x22) return this.#unexpected(context);
    const broken = this.#string();
    if (broken !== undefined) return broken;
    this.#skipSpace();
    if (this.#peek() !== 0x3a) return this.#unexpected('after object key');
    this.#at += 1;
    return undefined;
  }

  /**
   * Reads the text after a value. Returns undefined if another value must follow. Otherwise the scan ends, and the returned object contains
   * the error, if any.
   */
  #afterValue(): { error: string | undefined } | undefined {
    for (;;) {
      this.#skipSpace();
      const kind = this.#open.at(-1);
      if (kind === undefined) return { error: this.#at < this.#bytes.length ? this.#unexpected('after top-level value') : undefined };
      const close = kind === 'object' ? 0x7d : 0x5d;
      if (this.#peek() === close) {
        this.#open.pop();
        this.#at += 1;
        continue;
      }
      if (this.#peek() !== 0x2c)
        return { error: this.#unexpected(kind === 'object' ? 'after object key:value pair' : 'after array element') };
      this.#at += 1;
      if (kind === 'array') return undefined;
      this.#skipSpace();
      const broken = this.#key('looking for beginning of object key string');
      return broken === undefined ? undefined : { error: broken };
    }
  }

  #string(): string | undefined {
    this.#at += 1;
    for (;;) {
      const byte = this.#peek();
      if (byte === undefined) return END;
      if (byte === 0x22) {
        this.#at += 1;
        return undefined;
      }
      if (byte < 0x20) return this.#unexpected(this.#words.inString);
      this.#at += 1;
      if (byte !== 0x5c) continue;
      const start = this.#at - 1;
      const escape = this.#peek();
      if (escape === 0x75) {
        this.#at += 1;
        for (let i = 0; i < 4; i++, this.#at++) {
          if (this.#peek() === undefined || !isHex(this.#peek() as number)) return this.#badEscape(start);
        }
      } else if (escape === undefined || !'bfnrt\\/"'.includes(String.fromCharCode(escape))) {
        return this.#badEscape(start);
      } else {
        this.#at += 1;
      }
    }
  }

  #badEscape(start: number): string {
    return this.#at < this.#bytes.length ? this.#words.badEscape(this.#bytes, start, this.#at) : END;
  }

  #number(): string | undefined {
    if (this.#peek() === 0x2d) {
      this.#at += 1;
      if (!isDigit(this.#peek())) return this.#unexpected('in numeric literal');
    }
    if (this.#peek() === 0x30) this.#at += 1;
    else this.#digits();
    if (this.#peek() === 0x2e) {
      this.#at += 1;
      if (!isDigit(this.#peek())) return this.#unexpected(this.#words.afterPoint);
      this.#digits();
    }
    if (this.#peek() === 0x65 || this.#peek() === 0x45) {
      this.#at += 1;
      if (this.#peek() === 0x2b || this.#peek() === 0x2d) this.#at += 1;
      if (!isDigit(this.#peek())) return this.#unexpected(this.#words.inExponent);
      this.#digits();
    }
    return undefined;
  }

  #digits(): void {
    while (isDigit(this.#peek())) this.#at += 1;
  }

  #literal(word: 'true' | 'false' | 'null'): string | undefined {
    for (let i = 0; i < word.length; i++, this.#at++) {
      if (this.#peek() !== word.charCodeAt(i)) return this.#unexpected(`in literal ${word} (expecting ${goQuoteRune(word[i] as string)})`);
    }
    return undefined;
  }
}
