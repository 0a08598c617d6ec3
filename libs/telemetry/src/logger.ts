import { pino } from 'pino';
import { openTelemetry } from './open-telemetry.ts';

/**
 * Log whose methods write fields and a fixed message. Text from clients is passed only as the value of a field. The content of objects and
 * definitions is never logged.
 */
export type Log = Readonly<Record<'info' | 'warn' | 'error' | 'fatal', (fields: object, message: string) => void>>;

/** Highest number of bytes that wait for a slow reader of the log. Lines beyond this limit are dropped and counted. */
const UNREAD_BYTES = 1024 * 1024;

/**
 * Returns a log that writes JSON lines to stderr, with the id of the active trace. If stderr is read too slowly, lines are dropped, so that
 * neither the process stops nor its memory fills up. A later line reports the number of dropped lines.
 */
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
 * Returns the parts of an error that may be logged: type, message, stack and code. Other fields are left out. For example, a Redis error
 * contains the whole command with the queued objects.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code };
}
