import { setTimeout } from 'node:timers/promises';

/** Shortest interval between two events, in ms. */
const EVENT_INTERVAL_MS = 100;

/** Server-sent event: its name, its data, and a flag that is true for the last event of a stream. */
export interface ServerEvent {
  readonly event: string;
  /** Data of the event, sent as JSON. */
  readonly data: unknown;
  readonly isLast: boolean;
}

/**
 * Yields server-sent events until the last event, or until the client disconnects.
 *
 * @param read reads the present state as an event
 * @param changed resolves at the next change of the state, and if the signal is aborted
 */
export async function* serverEvents(
  read: () => Promise<ServerEvent>,
  changed: () => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (;;) {
    // The subscription begins before the read, so that no change is missed.
    const change = changed();
    const { event, data, isLast } = await read();
    if (signal.aborted) return;
    yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (isLast) return;
    await change;
    await setTimeout(EVENT_INTERVAL_MS);
  }
}
