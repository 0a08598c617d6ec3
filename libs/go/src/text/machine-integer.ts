/** Number of digits of the largest uint64. */
const MAX_DIGITS = 20;

/**
 * Returns the integer of a text that consists of digits, optionally after a sign. Returns undefined if the text has more significant digits
 * than a uint64 can have. Such numbers are rejected because parsing a BigInt takes more than linear time.
 */
export function machineInteger(text: string): bigint | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  let from = isSigned ? 1 : 0;
  while (from < text.length - 1 && text.charCodeAt(from) === 0x30) from++;
  if (text.length - from > MAX_DIGITS) return undefined;
  const magnitude = BigInt(text.slice(from));
  return text.startsWith('-') ? -magnitude : magnitude;
}
