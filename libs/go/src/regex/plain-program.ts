import { expandPattern } from './expand-pattern.ts';
import type { PatternAtom } from './expand-pattern.ts';
import { readPattern } from './pattern-tree.ts';
import type { PatternNode } from './pattern-tree.ts';
import { BEGIN_TEXT, END_TEXT } from './regex-program.ts';
import type { RegexProgram } from './regex-program.ts';

/**
 * Patterns for the ASCII members of the classes `\d`, `\w` and `\s`. All non-ASCII characters belong to the negated classes `\D`, `\W` and
 * `\S`.
 */
const LETTERED: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /[\t\n\f\r ]/ };
/** Pattern of one item of a class: a range, a class such as `\d`, a hexadecimal escape, an escaped sign, or a character. */
const ITEM = /([A-Za-z0-9])-([A-Za-z0-9])|\\([dDwWsS])|\\x([0-9A-Fa-f]{2})|\\?(.)/gs;

/**
 * Returns the program (the matching instructions) of a plain pattern, whose validity is known without compilation (see `isPlainPattern`).
 * The function does not use the engine re2js, which would take too long for all patterns of a definition. Returns undefined if
 * `readPattern` does not support the pattern.
 */
export function plainProgram(pattern: string): RegexProgram | undefined {
  const tree = readPattern(pattern);
  if (tree === undefined) return undefined;
  const atoms = new Map<string, PatternAtom>();
  const collect = (node: PatternNode): void => {
    if (node.kind === 'atom') atoms.set(node.text, atoms.get(node.text) ?? atomOf(node.text));
    else if (node.kind === 'group' || node.kind === 'repeat') collect(node.part);
    else node.parts.forEach(collect);
  };
  collect(tree);
  return expandPattern(tree, atoms);
}

function atomOf(text: string): PatternAtom {
  if (text === '^') return { kind: 'assert', assertions: BEGIN_TEXT };
  if (text === '$') return { kind: 'assert', assertions: END_TEXT };
  if (text === '.') return consuming((rune) => rune !== 10);
  if (text.length > 1 && text.startsWith('[')) {
    const negated = text.startsWith('[^');
    const taken = charactersOf(text.slice(negated ? 2 : 1, -1));
    return consuming((rune) => taken(rune) !== negated);
  }
  return consuming(charactersOf(text));
}

const consuming = (matchRune: (rune: number) => boolean): PatternAtom => ({ kind: 'consume', consumer: { matchRune }, runes: 2 });

/** Returns a function that tests if a character is in a class. `items` is the text of the class between its brackets. */
function charactersOf(items: string): (rune: number) => boolean {
  const taken = new Uint8Array(128);
  let others = false;
  for (const [, from, to, letter, number, sign] of items.matchAll(ITEM)) {
    const character = number === undefined ? sign : String.fromCharCode(Number.parseInt(number, 16));
    const lettered = letter === undefined ? undefined : LETTERED[letter.toLowerCase()];
    const negated = letter !== undefined && letter !== letter.toLowerCase();
    others ||= negated;
    for (let rune = 0; rune < 128; rune++) {
      const text = String.fromCharCode(rune);
      if (lettered !== undefined) taken[rune] ||= lettered.test(text) === negated ? 0 : 1;
      else if (from !== undefined && to !== undefined) taken[rune] ||= from <= text && text <= to ? 1 : 0;
      else taken[rune] ||= text === character ? 1 : 0;
    }
  }
  return (rune) => (rune < 128 ? taken[rune] === 1 : others);
}
