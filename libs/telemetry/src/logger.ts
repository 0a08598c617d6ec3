import { trace } from '@opentelemetry/api';
import { pino } from 'pino';

/** What a log takes: fields, then a message of ours. Client text is only ever a field's value, and never the content of an object or definition. */
export type Log = Readonly<Record<'info' | 'warn' | 'error' | 'fatal', (fields: object, message: string) => void>>;

/** A log that writes JSON lines to stderr, with the active trace's id. */
export function stderrLog(): Log {
  return pino(
    {
      level: 'info',
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      mixin() {
        const span = trace.getActiveSpan()?.spanContext();
        return span ? { traceId: span.traceId } : {};
      },
    },
    pino.destination(2),
  );
}

/**
 * An error as it is logged: kind, words, place. Whatever else a library hangs on its errors stays out: a Redis error carries the whole
 * command, with the objects that were being queued.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type: error.name, message: error.message, stack: error.stack, ...code };
}
