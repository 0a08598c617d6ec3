import { pino } from 'pino';
import { openTelemetry } from './open-telemetry.ts';

/** A log. Its methods take fields, then a message of ours. Client text is only ever a field's value, and never the content of an object or definition. */
export type Log = Readonly<Record<'info' | 'warn' | 'error' | 'fatal', (fields: object, message: string) => void>>;

/** The most bytes that wait for a slow reader. Further lines are dropped and counted. */
const UNREAD_BYTES = 1024 * 1024;

/** Returns a log that writes JSON lines to stderr, with the active trace's id. A reader that hangs stops nobody and fills no memory: it misses lines, and is told how many. */
export function stderrLog(): Log {
  const destination = pino.destination({ dest: 2, maxLength: UNREAD_BYTES });
  let dropped = 0;
  destination.on('drop', () => dropped++);
  destination.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, 'log lines were dropped: nobody read them in time');
  });
  const log = pino(
    {
      level: 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      mixin() {
        const span = openTelemetry()?.trace.getActiveSpan()?.spanContext();
        return span ? { traceId: span.traceId } : {};
      },
    },
    destination,
  );
  return log;
}

/**
 * Returns the loggable part of an error: kind, words, place. Other fields of libraries stay out: a Redis error carries the whole
 * command, with the queued objects.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code };
}
