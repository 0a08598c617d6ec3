/** Go's notation for a duration with one unit: `250ms`, `30s`, `1.5m`, `1h`. */
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Returns the duration in ms, rounded up. Returns undefined if the text is not a {@link DURATION_PATTERN}. */
export function durationMs(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text);
  return match ? Math.ceil(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]) : undefined;
}
