import { styleText } from 'node:util';

/** A colour of the terminal. */
export type Colour = 'red' | 'yellow' | 'green' | 'cyan';

/** Returns a word in colour, where standard output is a terminal whose user did not ask for none (https://no-color.org), or where colour is forced. */
export function coloured(colour: Colour, word: string): string {
  return wantsColour() ? styleText(colour, word, { validateStream: false }) : word;
}

function wantsColour(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return process.stdout.isTTY && (NO_COLOR ?? '') === '' && TERM !== 'dumb' && FORCE_COLOR === undefined;
}
