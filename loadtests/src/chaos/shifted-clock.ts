import { readFileSync } from 'node:fs';

/** Interval in ms at which the file with the current error of the clock is read. */
const READ_MS = 25;

/**
 * Shifts the wall clock of a process. The module is loaded first (`NODE_OPTIONS=--import`). The file that CHAOS_CLOCK names contains
 * the current error of the clock in ms.
 *
 * As with a real clock correction, monotonic clocks of running processes are not affected. Only a process that starts during the error has
 * a wrong start time.
 */
function shiftClock(file: string): void {
  const RealDate = Date;
  let shiftMs = wrongBy(file);
  const begin = performance.timeOrigin + shiftMs;
  Object.defineProperty(performance, 'timeOrigin', { value: begin });
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[]) => Reflect.construct(target, given.length === 0 ? [Date.now()] : given) as Date,
    get: (target, name) => (name === 'now' ? () => target.now() + shiftMs : (Reflect.get(target, name) as unknown)),
  });
  setInterval(() => (shiftMs = wrongBy(file)), READ_MS).unref();
}

function wrongBy(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

const file = process.env['CHAOS_CLOCK'];
if (file !== undefined) shiftClock(file);
