/** Width of a character of a monospace font as a share of its size; the widest of the common ones have 0.61. */
const ADVANCE = 0.62;
/** Scripts whose characters take two columns: Hangul, kana, ideographs, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Fewer columns than this say nothing. */
const FEWEST_COLUMNS = 3;

const columnsOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/**
 * Returns the text of a label that fits into so many pixels, on one line, in a monospace font of a size in pixels. A `…` at the end replaces the rest.
 * Undefined if there is no room for three characters.
 */
export function fitLabel(text: string, pixels: number, fontSize: number): string | undefined {
  const room = Math.floor(pixels / (ADVANCE * fontSize));
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const whole = characters.reduce((sum, character) => sum + columnsOf(character), 0);
  if (whole <= room) return characters.join('');
  if (room < FEWEST_COLUMNS) return undefined;
  let left = room - 1;
  const kept = characters.slice(
    0,
    characters.findIndex((character) => (left -= columnsOf(character)) < 0),
  );
  return `${kept.join('').trimEnd()}…`;
}
