/** Widths of characters in Helvetica, in thousandths of the font size. Source: Adobe's font metrics, Helvetica.afm. */
const GROUPS: readonly (readonly [width: number, characters: string])[] = [
  [191, "'"],
  [222, 'ijl'],
  [260, '|'],
  [278, ' !,./:;I[]\\ft'],
  [333, '()-`r'],
  [334, '{}'],
  [355, '"'],
  [389, '*'],
  [469, '^'],
  [500, 'Jcksvxyz'],
  [556, '#$?0123456789L_abdeghnopquµ–'],
  [584, '+<=>~×÷−≈'],
  [611, 'FTZ'],
  [667, '&ABEKPSVXY'],
  [722, 'CDHNRUw'],
  [778, 'GOQ'],
  [833, 'Mm'],
  [889, '%'],
  [944, 'W'],
  [1000, '→…'],
  [1015, '@'],
];
const WIDTH_OF: ReadonlyMap<string, number> = new Map(GROUPS.flatMap(([width, characters]) => [...characters].map((one) => [one, width])));
/** Width of characters that are missing in `GROUPS`, in thousandths of the font size. */
const OTHER = 700;
/** Maximum ratio of the width of a text in a usual font to its width in Helvetica. Bold figures are included. */
const WIDEST_FONT = 1.14;

/** Returns the width in pixels of a line of text at a font size, in the widest of the usual fonts. */
export function textWidth(text: string, fontSize = 12): number {
  const units = [...text].reduce((sum, character) => sum + (WIDTH_OF.get(character) ?? OTHER), 0);
  return (WIDEST_FONT * units * fontSize) / 1000;
}

/**
 * Breaks a text into lines that are at most `most` pixels wide. It breaks at spaces, and also inside words that are too long for a line.
 */
export function wrapped(text: string, most: number, fontSize = 12): string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const joined = last === '' ? word : `${last} ${word}`;
    if (textWidth(joined, fontSize) <= most) {
      lines[lines.length - 1] = joined;
      continue;
    }
    if (last !== '') lines.push('');
    for (const character of word) {
      const line = lines.at(-1) ?? '';
      if (line !== '' && textWidth(line + character, fontSize) > most) lines.push(character);
      else lines[lines.length - 1] = line + character;
    }
  }
  return lines;
}

/**
 * Names at the side of a chart. `text` returns a name wrapped into lines. `width` is the width of the widest line in pixels, and `lines` is
 * the highest number of lines of a name.
 */
export interface SideNames {
  readonly text: (name: string) => string;
  readonly width: number;
  readonly lines: number;
}

/** Wraps the names at the side of a chart so that each line is at most `most` pixels wide. Returns the wrapped names and their extent. */
export function sideNames(names: readonly string[], most: number, fontSize = 12): SideNames {
  const all = new Map(names.map((name) => [name, wrapped(name, most, fontSize)]));
  return {
    text: (name) => (all.get(name) ?? [name]).join('\n'),
    width: Math.ceil(Math.max(0, ...[...all.values()].flat().map((line) => textWidth(line, fontSize)))),
    lines: Math.max(1, ...[...all.values()].map((lines) => lines.length)),
  };
}
