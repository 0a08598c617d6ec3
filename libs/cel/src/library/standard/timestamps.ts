import { intValue, goQuote, machineInteger, utf8Length, wallClock } from '#go';
import type { WallClock } from '#go';
import { durationSeconds } from '../../values/convert.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue, Duration, Timestamp } from '../../values/value.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../../values/types/type.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { linear, memberOverload } from '../overload.ts';
import { MAX_UINT } from '../../values/integer.ts';

/** Function that reads one field of a timestamp in a time zone. `clock` is the local time in the zone. */
type Field = (clock: WallClock, instant: Timestamp) => number;

function inZone(field: Field): PlainCall {
  return (instant, zone = 'UTC') => {
    const timestamp = instant as Timestamp;
    const clock = inTimeZone(timestamp, zone as string);
    return clock instanceof CelError ? clock : field(clock, timestamp);
  };
}

interface Accessor {
  readonly name: string;
  readonly doc: string;
  readonly examples: readonly string[];
  /** Overload id of the accessor without a time zone argument. The id of the overload with a time zone is this id followed by `zoned`. */
  readonly id: string;
  readonly zoned?: string;
  readonly field: Field;
  /** Overload id for durations, and the function that reads the same unit from a duration. */
  readonly ofDuration?: readonly [id: string, read: (duration: Duration) => CelValue];
}

const ZONE = linear('cel-go common/stdlib/standard.go `inTimeZone` (v0.29.2)');

function accessor({ name, doc, examples, id, zoned = '_with_tz', field, ofDuration }: Accessor): FunctionDeclaration {
  const call = inZone(field);
  const overloads = [
    memberOverload(id, [TIMESTAMP], INT, { call }),
    memberOverload(id + zoned, [TIMESTAMP, STRING], INT, { growth: ZONE, call }),
  ];
  if (ofDuration !== undefined) {
    const [durationId, read] = ofDuration;
    overloads.push(memberOverload(durationId, [DURATION], INT, { call: (value) => read(value as Duration) }));
  }
  return { name, library: 'standard', doc, examples, overloads };
}

const NANOS_PER_HOUR = 3_600_000_000_000n;
const NANOS_PER_MINUTE = 60_000_000_000n;

/** Returns the number of whole units in a duration, computed in float64 as Go's Duration.Hours and Minutes do. */
function wholeUnits(nanos: bigint, unit: bigint): number {
  return Math.trunc(Number(nanos / unit) + Number(nanos % unit) / Number(unit));
}

/**
 * Declaration of `t.getFullYear()`, which returns the year in UTC. `t.getFullYear(zone)` returns the year in a time zone. The other
 * accessors of timestamps accept a time zone, too.
 */
export const GET_FULL_YEAR = accessor({
  name: 'getFullYear',
  doc: 'The year of a timestamp, in UTC or in the given zone.',
  examples: [
    "timestamp('2023-07-14T10:30:45.123Z').getFullYear() == 2023",
    "timestamp('2023-01-01T05:30:00Z').getFullYear('-08:00') == 2022",
  ],
  id: 'timestamp_to_year',
  field: (clock) => clock.year,
});
/** Declaration of `t.getMonth()`: month from 0 (January) to 11. */
export const GET_MONTH = accessor({
  name: 'getMonth',
  doc: 'The month of a timestamp, 0 for January, in UTC or in the given zone.',
  examples: ["timestamp('2023-01-01T05:30:00Z').getMonth('America/Los_Angeles') == 11"],
  id: 'timestamp_to_month',
  field: (clock) => clock.month - 1,
});
/** Declaration of `t.getDayOfYear()`: day of the year from 0 to 365. */
export const GET_DAY_OF_YEAR = accessor({
  name: 'getDayOfYear',
  doc: 'The day of the year of a timestamp, from 0, in UTC or in the given zone.',
  examples: ["timestamp('2023-01-02T00:00:00Z').getDayOfYear() == 1"],
  id: 'timestamp_to_day_of_year',
  field: (clock) => clock.yearDay - 1,
});
/** Declaration of `t.getDayOfMonth()`: day of the month from 0 to 30. */
export const GET_DAY_OF_MONTH = accessor({
  name: 'getDayOfMonth',
  doc: 'The day of the month of a timestamp, from 0, in UTC or in the given zone.',
  examples: ["timestamp('2023-07-01T05:00:00Z').getDayOfMonth('America/Los_Angeles') == 29"],
  id: 'timestamp_to_day_of_month',
  field: (clock) => clock.day - 1,
});
/** Declaration of `t.getDate()`: day of the month from 1 to 31. */
export const GET_DATE = accessor({
  name: 'getDate',
  doc: 'The day of the month of a timestamp, from 1, in UTC or in the given zone.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getDate() == 14"],
  id: 'timestamp_to_day_of_month_1_based',
  field: (clock) => clock.day,
});
/** Declaration of `t.getDayOfWeek()`: day of the week from 0 (Sunday) to 6. */
export const GET_DAY_OF_WEEK = accessor({
  name: 'getDayOfWeek',
  doc: 'The day of the week of a timestamp, 0 for Sunday, in UTC or in the given zone.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getDayOfWeek() == 5"],
  id: 'timestamp_to_day_of_week',
  field: (clock) => clock.weekday,
});
/** Declaration of `t.getHours()`: hour from 0 to 23 for a timestamp, or the number of whole hours of a duration. */
export const GET_HOURS = accessor({
  name: 'getHours',
  doc: 'The hour of a timestamp, in UTC or in the given zone; or a duration in hours.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getHours() == 10", "duration('3723s').getHours() == 1"],
  id: 'timestamp_to_hours',
  field: (clock) => clock.hour,
  ofDuration: ['duration_to_hours', (duration) => wholeUnits(duration.nanos, NANOS_PER_HOUR)],
});
/** Declaration of `t.getMinutes()`: minute from 0 to 59 for a timestamp, or the number of whole minutes of a duration. */
export const GET_MINUTES = accessor({
  name: 'getMinutes',
  doc: 'The minute of a timestamp, in UTC or in the given zone; or a duration in minutes.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getMinutes() == 30", "duration('3723s').getMinutes() == 62"],
  id: 'timestamp_to_minutes',
  field: (clock) => clock.minute,
  ofDuration: ['duration_to_minutes', (duration) => wholeUnits(duration.nanos, NANOS_PER_MINUTE)],
});
/** Declaration of `t.getSeconds()`: second from 0 to 59 for a timestamp, or the number of whole seconds of a duration. */
export const GET_SECONDS = accessor({
  name: 'getSeconds',
  doc: 'The second of a timestamp, in UTC or in the given zone; or a duration in seconds.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getSeconds() == 45", "duration('3723.456s').getSeconds() == 3723"],
  id: 'timestamp_to_seconds',
  zoned: '_tz',
  field: (clock) => clock.second,
  ofDuration: ['duration_to_seconds', (duration) => Math.trunc(durationSeconds(duration.nanos))],
});
/** Declaration of `t.getMilliseconds()`: millisecond from 0 to 999 for a timestamp, or the number of whole milliseconds of a duration. */
export const GET_MILLISECONDS = accessor({
  name: 'getMilliseconds',
  doc: 'The milliseconds of a timestamp, in UTC or in the given zone; or a duration in milliseconds.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getMilliseconds() == 123", "duration('1.5s').getMilliseconds() == 1500"],
  id: 'timestamp_to_milliseconds',
  field: (_, instant) => Math.trunc(instant.nanos / 1_000_000),
  ofDuration: ['duration_to_milliseconds', (duration) => intValue(duration.nanos / 1_000_000n)],
});

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
  // Go reads time zones from files. For `Europe/Paris/x`, Go finds that the file of `Europe/Paris` is not a folder.
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
function inTimeZone(instant: Timestamp, zone: string): WallClock | CelError {
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
