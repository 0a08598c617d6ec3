import type { Work } from '#runner';
import type { Engine } from '../ports.ts';

/** Returns work with a name that {@link fakeEngine} recognizes. */
export const namedWork = (name: string): Extract<Work, { kind: 'documents' }> => ({
  kind: 'documents',
  bytes: new TextEncoder().encode(name),
  lines: false,
  limits: { definitions: Infinity, objects: Infinity },
});

/** Returns the name of work that {@link namedWork} created, or the kind of any other work. */
const nameOf = (work: Work): string => (work.kind === 'documents' ? new TextDecoder().decode(work.bytes) : work.kind);

/** Returns an engine whose tasks end only when the test ends them. */
export function fakeEngine(threads: number) {
  const running = new Map<string, (spentMs: number) => void>();
  const begun: string[] = [];
  const engine: Engine = {
    threads,
    run: (work) => {
      const name = nameOf(work);
      begun.push(name);
      return new Promise((resolve) => running.set(name, (spentMs) => resolve({ kind: 'cancelled', spentMs })));
    },
  };
  /** Ends the work with this name as if it took `spentMs` ms. Then lets other pending tasks of the event loop run. */
  async function end(name: string, spentMs = 1): Promise<void> {
    const settle = running.get(name);
    if (!settle) throw new Error(`${name} does not run`);
    running.delete(name);
    settle(spentMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { engine, begun, running, end };
}
