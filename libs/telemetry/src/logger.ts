import { trace } from '@opentelemetry/api';
import { pino } from 'pino';

/** JSON lines on stderr, with the active trace's id. Client text is only ever a value, never part of a message. */
export const logger = pino(
  {
    level: 'info',
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin() {
      const span = trace.getActiveSpan()?.spanContext();
      return span ? { traceId: span.traceId } : {};
    },
  },
  pino.destination(2),
);
