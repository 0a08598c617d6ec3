import type { LoggerService } from '@nestjs/common';
import type { Log } from '#telemetry';

/**
 * Returns a logger that writes the warnings and errors of Nest to the log of the service. The second argument of its methods is a stack
 * trace or the name of the Nest component.
 */
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
