/** Digits of the greatest uint64. */
const MOST_DIGITS = 20;

/**
 * Returns the integer of a text: digits, perhaps behind a sign. Undefined if the digits without leading zeros are more than those of a uint64: the time to
 * read a BigInt grows faster than its length.
 */
export function machineInteger(text: string): bigint | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  let from = isSigned ? 1 : 0;
  while (from < text.length - 1 && text.charCodeAt(from) === 0x30) from++;
  if (text.length - from > MOST_DIGITS) return undefined;
  const magnitude = BigInt(text.slice(from));
  return text.startsWith('-') ? -magnitude : magnitude;
}
