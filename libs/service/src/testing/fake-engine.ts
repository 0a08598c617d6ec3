import type { Work } from '#runner';
import type { Engine } from '../ports.ts';

/** Returns work that is known by what it carries. */
export const namedWork = (name: string): Extract<Work, { kind: 'documents' }> => ({
  kind: 'documents',
  bytes: new TextEncoder().encode(name),
  lines: false,
  limits: { definitions: Infinity, objects: Infinity },
});

/** Returns the name of {@link namedWork}, else the kind of the work. */
const nameOf = (work: Work): string => (work.kind === 'documents' ? new TextDecoder().decode(work.bytes) : work.kind);

/** Returns an engine whose work ends when a test says so. */
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
  /** Ends a piece of work that took so long, ms, and lets others go on. */
  async function end(name: string, spentMs = 1): Promise<void> {
    const settle = running.get(name);
    if (!settle) throw new Error(`${name} does not run`);
    running.delete(name);
    settle(spentMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { engine, begun, running, end };
}
