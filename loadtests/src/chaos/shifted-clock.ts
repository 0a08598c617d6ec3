import { readFileSync } from 'node:fs';

/** The file is read at this interval, ms. */
const READ_MS = 25;

/**
 * Loaded first (`NODE_OPTIONS=--import`) into processes whose wall clock somebody corrects: the file that ASSAY_CHAOS_CLOCK names says by how many ms it is wrong
 * now. As with a real correction, what counts time without the wall clock goes on; only a process that begins meanwhile begins at the wrong time.
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

const file = process.env['ASSAY_CHAOS_CLOCK'];
if (file !== undefined) shiftClock(file);
