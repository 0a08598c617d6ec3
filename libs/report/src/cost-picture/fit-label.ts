/** Width of a character in a monospace font, as a share of the font size. The widest of the common fonts has 0.61. */
const ADVANCE = 0.62;
/** Characters that take two columns: Hangul, kana, ideographs, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Minimum number of columns of a label. A shorter label would not be readable. */
const MIN_COLUMNS = 3;

const columnsOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/**
 * Returns a label that fits into a line of the given width, in a monospace font of `fontSize` pixels. A text that is too long is cut and
 * ends in `…`. Returns undefined if the text is too long and the line has room for fewer than three characters of normal width.
 */
export function fitLabel(text: string, pixels: number, fontSize: number): string | undefined {
  const room = Math.floor(pixels / (ADVANCE * fontSize));
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const whole = characters.reduce((sum, character) => sum + columnsOf(character), 0);
  if (whole <= room) return characters.join('');
  if (room < MIN_COLUMNS) return undefined;
  let left = room - 1;
  const kept = characters.slice(
    0,
    characters.findIndex((character) => (left -= columnsOf(character)) < 0),
  );
  return `${kept.join('').trimEnd()}…`;
}
