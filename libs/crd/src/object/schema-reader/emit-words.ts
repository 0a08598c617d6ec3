import { joined, js } from '#cel';
import type { Fragment } from '#cel';
import type { ReaderCode } from './reader-code.ts';

/**
 * Text that may occur as a JSON string in an object, such as a field name, and the code to run if it occurs. The code becomes part of a
 * generated function that reads the bytes of objects. When it runs, the variable `at` contains the offset after the closing quote.
 */
export interface Word {
  readonly text: string;
  readonly action: Fragment;
}

/** Bytes of a word after its opening quote, including the closing quote. Because of the closing quote, no word is a prefix of another. */
interface Spelling {
  readonly bytes: readonly number[];
  readonly action: Fragment;
}

const QUOTE = 0x22;

/**
 * Returns true if JSON writes a text unchanged, with one byte per character. A generated schema reader recognises only such texts, for
 * example as field names. If a field name in the schema contains other characters, the reader does not accept documents with this field.
 */
export const isPlainWord = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

/**
 * Returns code that compares the JSON string at the cursor with the texts of `words`. The code becomes part of a generated function that
 * reads the bytes of objects. The cursor is at the opening quote.
 *
 * The code first reads the byte at which the words differ most, then compares the remaining bytes. As a result, it needs no strings, no
 * hashes and no second comparison. If the string equals a word, only the action of this word runs. For any other string, `otherwise` runs.
 */
export function emitWords(code: ReaderCode, words: readonly Word[], otherwise: Fragment): Fragment {
  const label = code.fresh('Loop');
  const spellings = words
    .filter(({ text }) => isPlainWord(text))
    .map(({ text, action }) => ({ bytes: [...Array.from(text, (character) => character.charCodeAt(0)), QUOTE], action }));
  if (spellings.length === 0) return otherwise;
  return js`${label}: {
${choose(spellings, new Set(), label)}
${otherwise}
}`;
}

function choose(spellings: readonly Spelling[], tested: ReadonlySet<number>, label: Fragment): Fragment {
  const [first, ...others] = spellings as [Spelling, ...Spelling[]];
  if (others.length === 0) return accept(first, tested, label);
  const position = mostTelling(spellings);
  const groups = new Map<number, Spelling[]>();
  for (const spelling of spellings) {
    const byte = spelling.bytes[position] as number;
    const group = groups.get(byte);
    if (group === undefined) groups.set(byte, [spelling]);
    else group.push(spelling);
  }
  const known = new Set([...tested, position]);
  const cases = [...groups].map(([byte, group]) => js`case ${byte}: { ${choose(group, known, label)} break; }`);
  return js`switch (bytes[at + ${position + 1}]) {
${joined(cases, '\n')}
}`;
}

/** Returns the offset at which the spellings have the highest number of different bytes. */
function mostTelling(spellings: readonly Spelling[]): number {
  const length = Math.min(...spellings.map(({ bytes }) => bytes.length));
  let best = 0;
  let most = 0;
  for (let position = 0; position < length; position++) {
    const count = new Set(spellings.map(({ bytes }) => bytes[position])).size;
    if (count > most) [best, most] = [position, count];
  }
  return best;
}

function accept({ bytes, action }: Spelling, tested: ReadonlySet<number>, label: Fragment): Fragment {
  const tests = bytes.flatMap((byte, i) => (tested.has(i) ? [] : [js`bytes[at + ${i + 1}] === ${byte}`]));
  const body = js`{
at += ${bytes.length + 1};
${action}
break ${label};
}`;
  return tests.length === 0 ? body : js`if (${joined(tests, ' && ')}) ${body}`;
}
