import { digits, isMissing, NOT_MEASURED } from './significant.ts';

/** Returns a time in ms with three digits and a suitable unit. From two minutes on, the form is `2 min 5 s`. */
export function timeText(ms: number | undefined): string {
  if (isMissing(ms)) return NOT_MEASURED;
  if (ms < 0) return `−${timeText(-ms)}`;
  if (ms >= 120_000) return longTimeText(Math.round(ms / 1000));
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  if (ms >= 1 || ms === 0) return `${digits(ms)} ms`;
  return ms >= 1e-3 ? `${digits(ms * 1e3)} µs` : `${digits(ms * 1e6)} ns`;
}

function longTimeText(seconds: number): string {
  const whole = seconds < 3600 ? seconds : 60 * Math.round(seconds / 60);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ');
}

/** Returns the time that something took, at most to a tenth: `0.4 ms`, `12 ms`, `1.3 s`. */
export function spentText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** Returns a latency in ms without its unit: `0.42`, `12.3`. Returns `–` if there were too few samples. */
export const latencyText = (ms: number | undefined): string => (ms === undefined ? '–' : ms < 10 ? ms.toFixed(2) : ms.toFixed(1));
