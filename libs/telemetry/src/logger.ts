import { once } from 'node:events';
import { pino } from 'pino';
import { openTelemetry } from './tracing.ts';

/**
 * Log whose methods write fields and a fixed message. Text from clients is passed only as the value of a field. The content of objects and
 * definitions is never logged.
 */
export interface Log extends Readonly<Record<'info' | 'warn' | 'error' | 'fatal', (fields: object, message: string) => void>> {
  /**
   * Resolves when the line that was logged last is written, or after a short time if nobody reads the log. A process that ends before may
   * write its last lines in the wrong order. Absent if lines are written at once.
   */
  readonly written?: () => Promise<void>;
}

/** Time in ms for which a process that ends waits until its last line is written. */
const LAST_LINE_MS = 1000;

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
  const written = async (): Promise<void> => {
    const late = new AbortController();
    const drained = once(destination, 'drain', { signal: late.signal }).catch(() => undefined);
    const timer = setTimeout(() => late.abort(), LAST_LINE_MS);
    await drained;
    clearTimeout(timer);
  };
  return Object.assign(log, { written });
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
