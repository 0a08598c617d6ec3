const ATEXT = /^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]$/u;

/**
 * A reader of one mailbox: `a@b.c`, `Name <a@b.c>`, `"quoted" <a@b.c>`, with comments and folding space.
 * Source: Go net/mail/message.go `ParseAddress`.
 */
class MailboxReader {
  private readonly characters: readonly string[];
  private at = 0;

  constructor(text: string) {
    this.characters = [...text];
  }

  /** True when the whole text is one mailbox with an address. */
  isMailbox(): boolean {
    if (!this.skipSpace() || this.peek() === undefined) return false;
    const start = this.at;
    if (this.addrSpec() && this.skipSpace()) return this.ended();
    this.at = start;
    if (this.peek() !== '<' && !this.phrase()) return false;
    if (!this.skipSpace() || this.peek() !== '<') return false;
    this.at += 1;
    if (!this.addrSpec() || this.peek() !== '>') return false;
    this.at += 1;
    return this.skipSpace() && this.ended();
  }

  private peek(): string | undefined {
    return this.characters[this.at];
  }

  private ended(): boolean {
    return this.peek() === undefined;
  }

  /** Space and comments; false for a comment that does not end. */
  private skipSpace(): boolean {
    for (;;) {
      while (this.peek() === ' ' || this.peek() === '\t') this.at += 1;
      if (this.peek() !== '(') return true;
      if (!this.comment()) return false;
    }
  }

  private comment(): boolean {
    let depth = 0;
    for (;;) {
      const character = this.peek();
      if (character === undefined) return false;
      this.at += 1;
      if (character === '\\') this.at += 1;
      else if (character === '(') depth += 1;
      else if (character === ')' && --depth === 0) return true;
    }
  }

  private addrSpec(): boolean {
    if (!this.skipSpace()) return false;
    if (!(this.peek() === '"' ? this.quotedString(true) : this.dotAtom())) return false;
    if (!this.skipSpace() || this.peek() !== '@') return false;
    this.at += 1;
    if (!this.skipSpace()) return false;
    if (this.peek() === '[') return this.domainLiteral();
    return this.dotAtom();
  }

  private domainLiteral(): boolean {
    const end = this.characters.indexOf(']', this.at);
    if (end < 0) return false;
    const literal = this.characters.slice(this.at + 1, end).join('');
    this.at = end + 1;
    return /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)$/.test(literal);
  }

  /** Atoms joined by single points. */
  private dotAtom(): boolean {
    const start = this.at;
    while (this.peek() !== undefined && (ATEXT.test(this.peek() as string) || this.peek() === '.')) this.at += 1;
    const atom = this.characters.slice(start, this.at).join('');
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  private quotedString(nonEmpty: boolean): boolean {
    this.at += 1;
    const start = this.at;
    for (;;) {
      const character = this.peek();
      if (character === undefined || character === '\n' || character === '\r') return false;
      this.at += 1;
      if (character === '"') return !nonEmpty || this.at - 1 > start;
      if (character === '\\') {
        if (this.peek() === undefined) return false;
        this.at += 1;
      }
    }
  }

  private phrase(): boolean {
    let words = 0;
    for (;;) {
      if (!this.skipSpace()) return false;
      if (this.peek() === '"') {
        if (!this.quotedString(false)) return false;
      } else {
        const start = this.at;
        while (this.peek() !== undefined && (ATEXT.test(this.peek() as string) || this.peek() === '.')) this.at += 1;
        if (this.at === start) return words > 0;
      }
      words += 1;
    }
  }
}

/** `email`. */
export function isEmail(text: string): boolean {
  return new MailboxReader(text).isMailbox();
}
