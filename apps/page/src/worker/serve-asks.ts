import type { FromWorker, ToWorker } from './worker-messages.ts';

/** The controls of a piece of work: its cancellation, and the receivers of its progress. */
export interface WorkSettings {
  readonly signal: AbortSignal;
  readonly progress: (done: number, of: number) => void;
  /** Tells a partial answer. */
  readonly tellPart: (part: unknown) => void;
  /** Says that work goes on; called as often as one likes. */
  readonly alive: () => void;
}

/** Signs of life come at most so often, ms. */
const SIGN_MS = 300;

/** Serves a page's asks, one after the other, in a worker. Between the steps of an ask its end can be asked for. */
export function serveAsks(perform: (ask: unknown, settings: WorkSettings) => unknown): void {
  const stops = new Map<number, AbortController>();
  let last: Promise<void> = Promise.resolve();
  const tell = (message: FromWorker): void => globalThis.postMessage(message);
  const answer = async (id: number, ask: unknown): Promise<void> => {
    const stop = stops.get(id) as AbortController;
    try {
      if (stop.signal.aborted) return tell({ id, kind: 'stopped' });
      let last = performance.now();
      const alive = (): void => {
        if (performance.now() - last < SIGN_MS) return;
        last = performance.now();
        tell({ id, kind: 'alive' });
      };
      const progress = (done: number, of: number): void => tell({ id, kind: 'progress', done, of });
      const tellPart = (part: unknown): void => tell({ id, kind: 'part', part });
      const answer = await perform(ask, { signal: stop.signal, progress, tellPart, alive });
      tell(stop.signal.aborted ? { id, kind: 'stopped' } : { id, kind: 'answer', answer });
    } catch (error) {
      tell(stop.signal.aborted ? { id, kind: 'stopped' } : { id, kind: 'failed', message: String(error) });
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
