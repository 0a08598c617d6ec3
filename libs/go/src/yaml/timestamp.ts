/**
 * Pattern of a timestamp: a date, optionally with a time. The time is in RFC 3339 form, or follows spaces and has no zone. Numbers may have
 * one digit.
 */
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/**
 * Returns true if go-yaml reads a text as a timestamp. Source: go.yaml.in/yaml/v2 resolve.go `parseTimestamp`, Go
 * time.Parse.
 */
export function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(7) > 24 || part(8) > 60) return false;
  return part(9) <= 23 && part(10) <= 59 && part(11) <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
