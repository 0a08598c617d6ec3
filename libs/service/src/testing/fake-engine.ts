import type { CostFindings } from '#benchmark';
import type { DefinitionText } from '#documents';
import type { DefinitionExplained, ResultOf, RunAnswer, RunSettings, Work } from '#runner';
import type { Engine } from '../ports.ts';

/** Returns work with a name that {@link fakeEngine} recognizes. */
export const namedWork = (name: string): Extract<Work, { kind: 'documents' }> => ({
  kind: 'documents',
  bytes: new TextEncoder().encode(name),
  notation: 'yaml',
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

const COSTS: CostFindings = {
  growsWith: [],
  worst: { cost: 7, evaluations: 1, bytes: 20, end: 'accepted', plan: { fields: {}, old: 'none' } },
  from: { fields: {}, old: 'none' },
  isPartial: false,
};

/** Returns the explanation of a definition. The definition's text is JSON that contains the number of its rules. */
function explanation({ slice }: DefinitionText): DefinitionExplained {
  const { rules } = JSON.parse(Buffer.from(slice.bytes).toString()) as { rules: number };
  const rule = (i: number) => ({
    version: 'v1',
    path: `rules[${i}]`,
    rule: `self.a > ${i}`,
    maxCost: '10',
    cardinality: '1',
    totalCost: '10',
  });
  const explained = {
    report: { name: 'widgets.example.com', accepted: true },
    rules: Array.from({ length: rules }, (_, i) => rule(i)),
  };
  return { explained, usable: true } as unknown as DefinitionExplained;
}

/** Returns an engine that explains definitions immediately. Its cells of studies end when a test ends them or when they are cancelled. */
export function studyEngine(threads: number) {
  const running: ((spentMs: number, isPartial: boolean) => void)[] = [];
  const flows = new Set<string | undefined>();
  let begun = Promise.withResolvers<undefined>();
  const engine: Engine = {
    threads,
    run: async <One extends Work>(work: One, { signal, flow, background }: RunSettings = {}): Promise<RunAnswer<ResultOf<One>>> => {
      if (background !== true) throw new Error('a study works in the background');
      flows.add(flow);
      if (work.kind === 'explain') return { kind: 'done', result: explanation(work.definition) as ResultOf<One>, spentMs: 0 };
      const ended = Promise.withResolvers<RunAnswer<ResultOf<One>>>();
      const end = (spentMs: number, isPartial: boolean): void =>
        ended.resolve({ kind: 'done', result: { ...COSTS, isPartial } as ResultOf<One>, spentMs });
      const cancel = (): void => ended.resolve({ kind: 'cancelled', spentMs: 1 });
      running.push(end);
      begun.resolve(undefined);
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted === true) cancel();
      const answer = await ended.promise;
      if (running.includes(end)) running.splice(running.indexOf(end), 1);
      return answer;
    },
  };
  /** Resolves when at least one cell of a study runs. */
  async function cellBegun(): Promise<void> {
    while (running.length === 0) await begun.promise;
  }
  /**
   * Ends the oldest running cell of a study as if it took `spentMs` ms. If `isPartial` is true, the findings state that the search was not
   * completed.
   */
  async function endCell(spentMs = 1, isPartial = false): Promise<void> {
    await cellBegun();
    begun = Promise.withResolvers();
    running.shift()?.(spentMs, isPartial);
  }
  return {
    engine,
    cellBegun,
    endCell,
    /** Paths of all flows whose work the engine received. */
    flows,
    get running(): number {
      return running.length;
    },
  };
}
