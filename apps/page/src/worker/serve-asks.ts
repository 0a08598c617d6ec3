import type { FromWorker, ToWorker } from './watched-worker.ts';

/** Cancellation signal of a task, and functions that receive its progress. */
export interface WorkSettings {
  readonly signal: AbortSignal;
  readonly progress: (done: number, of: number) => void;
  /** Sends a partial answer to the page before the task is complete. */
  readonly reportPart: (part: unknown) => void;
  /** Reports that the work continues. The task may call it at any time. */
  readonly alive: () => void;
}

/** Shortest interval in ms between two messages which report that the work continues. */
const SIGN_MS = 300;

/** Handles the requests of a page in a worker, one after another. The page can stop a request between two steps of its work. */
export function serveAsks(perform: (ask: unknown, settings: WorkSettings) => unknown): void {
  const stops = new Map<number, AbortController>();
  let last: Promise<void> = Promise.resolve();
  const send = (message: FromWorker): void => globalThis.postMessage(message);
  const answer = async (id: number, ask: unknown): Promise<void> => {
    const stop = stops.get(id) as AbortController;
    try {
      if (stop.signal.aborted) return send({ id, kind: 'stopped' });
      let last = performance.now();
      const alive = (): void => {
        if (performance.now() - last < SIGN_MS) return;
        last = performance.now();
        send({ id, kind: 'alive' });
      };
      const progress = (done: number, of: number): void => send({ id, kind: 'progress', done, of });
      const reportPart = (part: unknown): void => send({ id, kind: 'part', part });
      const answer = await perform(ask, { signal: stop.signal, progress, reportPart, alive });
      send(stop.signal.aborted ? { id, kind: 'stopped' } : { id, kind: 'answer', answer });
    } catch (error) {
      send(stop.signal.aborted ? { id, kind: 'stopped' } : { id, kind: 'failed', message: String(error) });
    } finally {
      stops.delete(id);
    }
  };
  globalThis.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if ('stop' in data) return stops.get(data.id)?.abort();
    stops.set(data.id, new AbortController());
    last = last.then(() => answer(data.id, data.ask));
  });
}
