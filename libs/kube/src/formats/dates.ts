import { parseLenientDuration } from '#go';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Returns true if the text has the format `date`: an existing day in the form that Go's `time.Parse` accepts for the layout "2006-01-02".
 */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (DAYS[month - 1] as number) + (leap ? 1 : 0);
}

/**
 * Returns true if the text has the format `date-time`. The format is looser than RFC 3339: any character may precede the fraction, and the
 * text after a second `t` is ignored. Source: kube-openapi pkg/validation/strfmt/time.go `IsDateTime`.
 */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date, time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date as string)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time);
  return match !== null && (match[1] as string) <= '23' && (match[2] as string) <= '59' && (match[3] as string) <= '59';
}

/**
 * Returns true if the text has the format `duration`: Go's syntax, or parts such as `3 days` anywhere in the text. Source: kube-openapi
 * pkg/validation/strfmt/duration.go `IsDuration`.
 */
export function isDuration(text: string): boolean {
  return parseLenientDuration(text).ok;
}
