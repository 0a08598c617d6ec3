import { styleText } from 'node:util';

/** Terminal colour. */
export type Colour = 'red' | 'yellow' | 'green' | 'cyan';

/**
 * Returns a word in colour if standard output is a terminal and the user has not disabled colours (https://no-color.org), or if colour is
 * forced. Otherwise returns the word unchanged.
 */
export function coloured(colour: Colour, word: string): string {
  return wantsColour() ? styleText(colour, word, { validateStream: false }) : word;
}

function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY && (NO_COLOR ?? '') === '' && TERM !== 'dumb' && FORCE_COLOR === undefined;
}
