import type { LoggerService } from '@nestjs/common';
import { UnusableJournal } from '#jobs';
import type { Log } from '#telemetry';

/**
 * Returns a logger that writes the warnings and errors of Nest to the log of the service. The second argument of its methods is a stack
 * trace or the name of the Nest component. Errors that end the start with a sentence are left out ({@link isToldAtStart}).
 */
export function nestLogger(log: Log): LoggerService {
  return {
    log: () => undefined,
    warn: (message: unknown, part?: unknown) => log.warn(fields(message, part), 'nest warns'),
    error: (message: unknown, part?: unknown) => {
      if (!isToldAtStart(message)) log.error(fields(message, part), 'nest failed');
    },
    fatal: (message: unknown, part?: unknown) => log.fatal(fields(message, part), 'nest failed'),
  };
}

/** Returns true for an error that Nest logs and also throws, if the entry point turns it into a sentence: a taken journal or port. */
const isToldAtStart = (message: unknown): boolean =>
  message instanceof UnusableJournal || (typeof message === 'string' && message.startsWith('Error: listen '));

function fields(message: unknown, part: unknown): object {
  const fields = message instanceof Error ? { err: message } : { said: String(message) };
  return typeof part === 'string' ? { ...fields, part } : fields;
}
