import { goQuote, machineInteger, utf8Length, wallClock } from '#go';
import type { WallClock } from '#go';
import { MAX_UINT } from './integer.ts';
import { CelError } from './value.ts';
import type { Timestamp } from './value.ts';

const KEPT_ZONES = 1000;
/** Cache of zones by name, at most {@link KEPT_ZONES}. A zone depends only on its name. */
const zones = new Map<string, Intl.DateTimeFormat | undefined>();

/** Words of zone names that are not written as `Paris` is, by their small letters. */
const SPELLINGS = new Map(
  (
    'UTC UCT GMT GMT0 EST MST HST CET MET EET WET EST5EDT CST6CDT MST7MDT PST8PDT GB NZ CHAT SU PRC ROC ROK US ACT NSW LHI IN W ' +
    'au es of McMurdo DumontDUrville EasterIsland BajaNorte BajaSur DeNoronha ComodRivadavia'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/** Returns whether a zone's name has the spelling of its file. `Intl` takes any case, and resolves the other names of a zone to one of them. */
function isSpelledAsFile(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  return (name.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).every((word) => {
    const spelling = SPELLINGS.get(word.toLowerCase());
    return spelling === undefined ? /^[A-Z][a-z]*$/.test(word) : word === spelling;
  });
}

/** UTF-16 units of more than the longest name of a zone. */
const LONG_NAME = 64;

/** Returns the formatter of an IANA zone; undefined when there is no such zone. Names are case-sensitive, as files are where Go looks them up. */
function zoneNamed(name: string): Intl.DateTimeFormat | undefined {
  if (name.length >= LONG_NAME) return undefined;
  if (zones.has(name)) return zones.get(name);
  const zone = isSpelledAsFile(name) ? formatterOf(name) : undefined;
  if (zones.size < KEPT_ZONES) zones.set(name, zone);
  return zone;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US-u-ca-gregory', {
      timeZone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return undefined;
  }
}

/** Directories of time zones. */
const AREAS =
  /^(Africa|America(\/(Argentina|Indiana|Kentucky|North_Dakota))?|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\/*$/;
const LONGEST_FILE_NAME = 255;

/** Returns a path as the file system follows it. */
function filePath(name: string): string {
  return name.replaceAll(/\/(?:\.?\/)+/g, '/');
}

/** Why Go does not find a zone's file. */
function zoneError(name: string): string {
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) return 'time: invalid location name';
  if (name.includes('\0')) return 'invalid argument';
  if (AREAS.test(name) || /^[./]+$/.test(name)) return 'is a directory';
  const [first = ''] = name.split('/');
  if (utf8Length(first) > LONGEST_FILE_NAME) return 'file name too long';
  // A zone is a file.
  const beginning = filePath(name).slice(0, LONG_NAME);
  for (let end = beginning.indexOf('/'); end >= 0; end = beginning.indexOf('/', end + 1))
    if (zoneNamed(beginning.slice(0, end)) !== undefined) return 'not a directory';
  return `unknown time zone ${name}`;
}

const CLOCK_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** Seconds east of UTC that a zone is at an instant. */
function zoneOffset(zone: Intl.DateTimeFormat, seconds: number): number {
  const parts: Record<string, string> = {};
  for (const part of zone.formatToParts(seconds * 1000)) parts[part.type] = part.value;
  const [year, month, day, hour, minute, second] = CLOCK_PARTS.map((name) => Number(parts[name])) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(0);
  local.setUTCFullYear(parts['era']?.startsWith('B') === true ? 1 - year : year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local.getTime() / 1000 - seconds;
}

const LEADING_INTEGER = /^[+-]?\d+/;

/** Go's strconv.Atoi: digits that overflow a uint64 are out of range, whatever follows them. */
function atoi(text: string): number | CelError {
  const [digits] = LEADING_INTEGER.exec(text) ?? [];
  const value = machineInteger(digits ?? '0');
  const overflows = value === undefined || (value < 0n ? -value : value) > MAX_UINT;
  if (digits !== text && !overflows) return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  if (overflows || BigInt.asIntN(64, value) !== value) return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}

/**
 * Returns the wall clock of an instant in a zone: an IANA name, `UTC`, or an offset such as `-08:00`. It does not check
 * the range of the offset's parts. Source: cel-go common/stdlib/standard.go `inTimeZone` (v0.29.2).
 */
export function inTimeZone(instant: Timestamp, zone: string): WallClock | CelError {
  const colon = zone.indexOf(':');
  if (colon < 0) {
    if (zone === '' || zone === 'UTC' || zone === 'Local') return wallClock(instant.seconds, 0);
    const named = zone.includes('..') ? undefined : zoneNamed(filePath(zone));
    return named === undefined ? new CelError(zoneError(zone)) : wallClock(instant.seconds, zoneOffset(named, instant.seconds));
  }
  const hours = atoi(zone.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = atoi(zone.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  const offset = hours * 60 + (zone.startsWith('-') ? -minutes : minutes);
  return wallClock(instant.seconds, offset * 60);
}
