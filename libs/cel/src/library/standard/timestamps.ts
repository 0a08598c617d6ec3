import { intValue } from '#go';
import type { WallClock } from '#go';
import { durationSeconds } from '../../values/convert.ts';
import { inTimeZone } from '../../values/time-zone.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue, Duration, Timestamp } from '../../values/value.ts';
import { DURATION, INT, STRING, TIMESTAMP } from '../../values/types/type.ts';
import type { FunctionDeclaration, PlainCall } from '../define.ts';
import { memberOverload } from '../overload.ts';
import { linear } from '../growth.ts';

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
  doc: 'The year of a timestamp, in UTC or in a zone.',
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
  doc: 'The month of a timestamp, 0 for January, in UTC or in a zone.',
  examples: ["timestamp('2023-01-01T05:30:00Z').getMonth('America/Los_Angeles') == 11"],
  id: 'timestamp_to_month',
  field: (clock) => clock.month - 1,
});
/** Declaration of `t.getDayOfYear()`: day of the year from 0 to 365. */
export const GET_DAY_OF_YEAR = accessor({
  name: 'getDayOfYear',
  doc: 'The day of the year of a timestamp, from 0, in UTC or in a zone.',
  examples: ["timestamp('2023-01-02T00:00:00Z').getDayOfYear() == 1"],
  id: 'timestamp_to_day_of_year',
  field: (clock) => clock.yearDay - 1,
});
/** Declaration of `t.getDayOfMonth()`: day of the month from 0 to 30. */
export const GET_DAY_OF_MONTH = accessor({
  name: 'getDayOfMonth',
  doc: 'The day of the month of a timestamp, from 0, in UTC or in a zone.',
  examples: ["timestamp('2023-07-01T05:00:00Z').getDayOfMonth('America/Los_Angeles') == 29"],
  id: 'timestamp_to_day_of_month',
  field: (clock) => clock.day - 1,
});
/** Declaration of `t.getDate()`: day of the month from 1 to 31. */
export const GET_DATE = accessor({
  name: 'getDate',
  doc: 'The day of the month of a timestamp, from 1, in UTC or in a zone.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getDate() == 14"],
  id: 'timestamp_to_day_of_month_1_based',
  field: (clock) => clock.day,
});
/** Declaration of `t.getDayOfWeek()`: day of the week from 0 (Sunday) to 6. */
export const GET_DAY_OF_WEEK = accessor({
  name: 'getDayOfWeek',
  doc: 'The day of the week of a timestamp, 0 for Sunday, in UTC or in a zone.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getDayOfWeek() == 5"],
  id: 'timestamp_to_day_of_week',
  field: (clock) => clock.weekday,
});
/** Declaration of `t.getHours()`: hour from 0 to 23 for a timestamp, or the number of whole hours of a duration. */
export const GET_HOURS = accessor({
  name: 'getHours',
  doc: 'The hour of a timestamp, in UTC or in a zone; all hours of a duration.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getHours() == 10", "duration('3723s').getHours() == 1"],
  id: 'timestamp_to_hours',
  field: (clock) => clock.hour,
  ofDuration: ['duration_to_hours', (duration) => wholeUnits(duration.nanos, NANOS_PER_HOUR)],
});
/** Declaration of `t.getMinutes()`: minute from 0 to 59 for a timestamp, or the number of whole minutes of a duration. */
export const GET_MINUTES = accessor({
  name: 'getMinutes',
  doc: 'The minute of a timestamp, in UTC or in a zone; all minutes of a duration.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getMinutes() == 30", "duration('3723s').getMinutes() == 62"],
  id: 'timestamp_to_minutes',
  field: (clock) => clock.minute,
  ofDuration: ['duration_to_minutes', (duration) => wholeUnits(duration.nanos, NANOS_PER_MINUTE)],
});
/** Declaration of `t.getSeconds()`: second from 0 to 59 for a timestamp, or the number of whole seconds of a duration. */
export const GET_SECONDS = accessor({
  name: 'getSeconds',
  doc: 'The second of a timestamp, in UTC or in a zone; all seconds of a duration.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getSeconds() == 45", "duration('3723.456s').getSeconds() == 3723"],
  id: 'timestamp_to_seconds',
  zoned: '_tz',
  field: (clock) => clock.second,
  ofDuration: ['duration_to_seconds', (duration) => Math.trunc(durationSeconds(duration.nanos))],
});
/** Declaration of `t.getMilliseconds()`: millisecond from 0 to 999 for a timestamp, or the number of whole milliseconds of a duration. */
export const GET_MILLISECONDS = accessor({
  name: 'getMilliseconds',
  doc: 'The milliseconds of a timestamp; all milliseconds of a duration.',
  examples: ["timestamp('2023-07-14T10:30:45.123Z').getMilliseconds() == 123", "duration('1.5s').getMilliseconds() == 1500"],
  id: 'timestamp_to_milliseconds',
  field: (_, instant) => Math.trunc(instant.nanos / 1_000_000),
  ofDuration: ['duration_to_milliseconds', (duration) => intValue(duration.nanos / 1_000_000n)],
});
