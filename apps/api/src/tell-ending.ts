import { times } from '#numbers';
import type { Log } from '#telemetry';

/** Reports that a service which was asked to end stops, and that it has stopped. */
export interface Ending {
  /**
   * Reports that the service stops.
   *
   * @param requests number of open requests, which may still finish; undefined if it is not known
   * @param withinMs time in ms that the open requests have
   */
  readonly stops: (requests: number | undefined, withinMs: number) => void;
  /** Reports that the service has stopped. Resolves when the report is written, so that the process may end. */
  readonly stopped: () => Promise<void>;
}

/** Stream of the process for messages, such as its standard error. */
interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Writes sentences to a person's terminal, and lines of JSON to the log of a service that no terminal shows. */
export function tellEnding(log: Log, terminal: Terminal = process.stderr): Ending {
  if (terminal.isTTY !== true)
    return {
      stops: (requests, withinMs) => log.info({ requests, withinMs }, 'the service stops'),
      stopped: async () => {
        log.info({}, 'the service has stopped');
        await log.written?.();
      },
    };
  return {
    stops: (requests, withinMs) => {
      const open = requests === undefined ? 'open requests' : times(requests, 'open request');
      const wait = requests === 0 ? '' : `: ${open} may still finish within ${withinMs / 1000} s`;
      // A terminal shows ^C at the beginning of the line, so the text begins on the next line.
      terminal.write(`\nAssay stops${wait}\n`);
    },
    stopped: () => {
      terminal.write('Assay has stopped\n');
      return Promise.resolve();
    },
  };
}

/** Reports nothing. A process uses it if the process that watches it reports the end. */
export const UNTOLD: Ending = { stops: () => undefined, stopped: () => Promise.resolve() };
