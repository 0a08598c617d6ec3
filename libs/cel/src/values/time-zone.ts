import { goQuote, machineInteger, utf8Length, wallClock } from '#go';
import type { WallClock } from '#go';
import { MAX_UINT } from './integer.ts';
import { CelError } from './value.ts';
import type { Timestamp } from './value.ts';

const KEPT_ZONES = 1000;
/** Cache of formatters by the name of their time zone, with at most {@link KEPT_ZONES} entries. */
const zones = new Map<string, Intl.DateTimeFormat | undefined>();

/** Words in zone names that are not simply capitalized like `Paris`, by their lower-case form. */
const SPELLINGS = new Map(
  (
    'UTC UCT GMT GMT0 EST MST HST CET MET EET WET EST5EDT CST6CDT MST7MDT PST8PDT GB NZ CHAT SU PRC ROC ROK US ACT NSW LHI IN W ' +
    'au es of McMurdo DumontDUrville EasterIsland BajaNorte BajaSur DeNoronha ComodRivadavia'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

/**
 * Returns true if a zone name is spelled like its file in Go's time zone database. The check is necessary because `Intl` accepts any case,
 * and resolves aliases of a zone to one name.
 */
function isSpelledAsFile(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false;
  return (name.match(/[A-Za-z][A-Za-z0-9]*/g) ?? []).every((word) => {
    const spelling = SPELLINGS.get(word.toLowerCase());
    return spelling === undefined ? /^[A-Z][a-z]*$/.test(word) : word === spelling;
  });
}

/** Length in UTF-16 units from which a text is too long for the name of a zone. */
const LONG_NAME = 64;

/**
 * Returns the formatter of an IANA zone, or undefined if the zone does not exist. Names are case-sensitive, because Go looks up zones as
 * files.
 */
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

/** Pattern of the directory names in Go's time zone database. It is needed because Go reports `is a directory` for these names. */
const AREAS =
  /^(Africa|America(\/(Argentina|Indiana|Kentucky|North_Dakota))?|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)\/*$/;
const MAX_FILE_NAME_BYTES = 255;

/** Returns a path in normalized form, as the file system resolves it: without repeated slashes and `.` segments. */
function filePath(name: string): string {
  return name.replaceAll(/\/(?:\.?\/)+/g, '/');
}

/** Returns the message that Go reports when it does not find the file of a zone. */
function zoneError(name: string): string {
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\')) return 'time: invalid location name';
  if (name.includes('\0')) return 'invalid argument';
  if (AREAS.test(name) || /^[./]+$/.test(name)) return 'is a directory';
  const [first = ''] = name.split('/');
  if (utf8Length(first) > MAX_FILE_NAME_BYTES) return 'file name too long';
  // Go reads a time zone from a file, so it reports errors of the file system.
  const beginning = filePath(name).slice(0, LONG_NAME);
  for (let end = beginning.indexOf('/'); end >= 0; end = beginning.indexOf('/', end + 1))
    if (zoneNamed(beginning.slice(0, end)) !== undefined) return 'not a directory';
  return `unknown time zone ${name}`;
}

const CLOCK_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** Returns the offset of a zone at an instant, in seconds east of UTC. */
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

/**
 * Parses an integer as Go's strconv.Atoi does. If the leading digits overflow a uint64, the error is "out of range", regardless of the
 * following characters.
 */
function atoi(text: string): number | CelError {
  const [digits] = LEADING_INTEGER.exec(text) ?? [];
  const value = machineInteger(digits ?? '0');
  const overflows = value === undefined || (value < 0n ? -value : value) > MAX_UINT;
  if (digits !== text && !overflows) return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  if (overflows || BigInt.asIntN(64, value) !== value) return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}

/**
 * Returns the wall clock time of an instant in a zone. The zone is an IANA name, `UTC`, or an offset such as `-08:00`. The function does
 * not check the range of the offset's parts. Source: cel-go common/stdlib/standard.go `inTimeZone` (v0.29.2).
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
