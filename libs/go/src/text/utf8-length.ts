// A search for these characters is many times faster than a loop over every character.
const NON_ASCII = /[^\0-\x7f]/;
const HIGH_SURROGATE = /[\ud800-\udbff]/;

/** Returns the length of a string in UTF-8 bytes, as Go's `len` does. A lone surrogate counts as U+FFFD, which has three bytes. */
export function utf8Length(text: string): number {
  let length = text.length;
  if (!NON_ASCII.test(text)) return length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) length += 1;
    else if (code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length += 2;
      i += 1;
    } else length += 2;
  }
  return length;
}

/** Returns the number of code points of a string. A lone surrogate counts as one code point. */
export function codePointLength(text: string): number {
  let length = text.length;
  if (!HIGH_SURROGATE.test(text)) return length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length -= 1;
      i += 1;
    }
  }
  return length;
}
