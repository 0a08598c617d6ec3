import { performCell, StudiedDefinition } from '#benchmark';
import type { CellFindings, CellSubjects, StudyCell, StudyEngine } from '#benchmark';
import { readSlice } from '#documents';
import type { DefinitionText } from '#documents';
import type { CancellationToken, JsonValue } from '#go';
import type { StudyWork } from '../protocol.ts';
import type { DefinitionCache } from './definition-cache.ts';
import { nodeEngine } from './node-linker.ts';

// Threads load the studies of rules and of policies together. Otherwise, bundlers would move their shared code out of the worker of the
// page.
export { PolicyGrowth } from './policy-growth.ts';

/** Maximum number of cached compiled definitions: one for each combination of three engines and two revisions. */
const HELD = 6;

/** Cancellation token of a study of rules. The study may pause when it checks the token. */
interface StudyToken extends CancellationToken {
  /** Total time of all pauses of the study in ms; undefined if the study never pauses. */
  readonly pausedMs?: number;
}

/**
 * Functions that measure heap use and CPU time of the current thread during a study. A function is absent if the runtime cannot measure the
 * quantity.
 */
export interface ThreadGauges {
  /** Returns the size of the used heap, in bytes. */
  readonly heapUsed?: () => number;
  /** Returns the CPU time of the thread, in ms. */
  readonly cpuMs?: () => number;
}

/**
 * Thread's part in studies of rules. It performs cells (units of work of a study), and keeps the compiled definitions that several cells
 * use.
 */
export class RuleStudies {
  readonly #definitions: DefinitionCache;
  readonly #gauges: ThreadGauges;
  readonly #held = new Map<string, StudiedDefinition>();

  constructor(definitions: DefinitionCache, gauges: ThreadGauges) {
    this.#definitions = definitions;
    this.#gauges = gauges;
  }

  /** Performs one cell of a study and returns the findings of the cell. */
  perform({ definition, base, cell }: StudyWork, token: StudyToken): CellFindings[StudyCell['kind']] {
    const subjects: CellSubjects = {
      head: (engine) => this.#studied(definition, engine),
      ...(base && { base: (engine: StudyEngine) => this.#studied(base, engine) }),
      source: () => read(definition),
      compileAgain: () => void this.#definitions.compileAgain(definition, 'compiled'),
      choice: nodeEngine,
    };
    // The time of the study does not include pauses in which the thread does other work.
    const now = (): number => performance.now() - (token.pausedMs ?? 0);
    return performCell(cell, subjects, { now, token, ...this.#gauges });
  }

  #studied(text: DefinitionText, engine: StudyEngine): StudiedDefinition {
    const key = `${engine} ${text.digest}`;
    const known = this.#held.get(key);
    if (known !== undefined) return known;
    const compiled = this.#definitions.compile(text, { engine });
    if (!compiled.ok) throw new Error('a definition that was explained cannot be compiled');
    const studied = new StudiedDefinition(compiled.definition);
    this.#held.set(key, studied);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= HELD) break;
      this.#held.delete(oldest);
    }
    return studied;
  }
}

function read({ slice }: DefinitionText): JsonValue {
  const reading = readSlice(slice);
  if (!reading.ok) throw new Error('a definition that was explained cannot be read');
  return reading.value;
}
