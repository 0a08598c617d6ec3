import type { LoggerService } from '@nestjs/common';
import type { Log } from '#telemetry';

/** Returns a logger that writes Nest's warnings and errors to our log. Its second argument is a stack or the name of the part that speaks. */
export function nestLogger(log: Log): LoggerService {
  return {
    log: () => undefined,
    warn: (message: unknown, part?: unknown) => log.warn(fields(message, part), 'nest warns'),
    error: (message: unknown, part?: unknown) => log.error(fields(message, part), 'nest failed'),
    fatal: (message: unknown, part?: unknown) => log.fatal(fields(message, part), 'nest failed'),
  };
}

function fields(message: unknown, part: unknown): object {
  const said = message instanceof Error ? { err: message } : { said: String(message) };
  return typeof part === 'string' ? { ...said, part } : said;
}
