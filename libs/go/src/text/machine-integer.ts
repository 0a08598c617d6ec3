/** Number of digits of the largest uint64. */
const MOST_DIGITS = 20;

/**
 * Returns the integer of a text that consists of digits, optionally after a sign. Returns undefined if there are more digits, without
 * leading zeros, than a uint64 has. Such numbers are rejected because the time to parse a BigInt grows faster than its length.
 */
export function machineInteger(text: string): bigint | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  let from = isSigned ? 1 : 0;
  while (from < text.length - 1 && text.charCodeAt(from) === 0x30) from++;
  if (text.length - from > MOST_DIGITS) return undefined;
  const magnitude = BigInt(text.slice(from));
  return text.startsWith('-') ? -magnitude : magnitude;
}
