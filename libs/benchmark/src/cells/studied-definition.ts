import type { EngineChoice } from '#cel';
import { loneRules } from '#crd';
import type { CompiledDefinition, LoneRule } from '#crd';
import type { CancellationToken, JsonValue } from '#go';
import type { RuleKey, AssayEngine } from '../study/study-report.ts';
import type { DefinitionRules } from '../study/study-rule.ts';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { EffectiveSchemas } from '../values/effective-schema.ts';

/** Maximum size of a generated value in bytes. It is larger than the largest request that a server accepts (3 MiB). */
const MAX_BYTES = 3_400_000;

/** A rule, together with all rules of the same version of its definition. */
export interface FoundRule {
  readonly rule: LoneRule;
  readonly among: DefinitionRules;
}

/** A compiled definition, with the data that all studies of its rules share. */
export class StudiedDefinition {
  readonly definition: CompiledDefinition;
  readonly #writing = { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), maxBytes: MAX_BYTES };
  readonly #rules = new Map<string, readonly LoneRule[]>();

  constructor(definition: CompiledDefinition) {
    this.definition = definition;
  }

  /** Returns a rule together with all rules of its version. Returns undefined if the version is not served or has no rule at the path. */
  find({ version, path }: RuleKey): FoundRule | undefined {
    const rules = this.#rulesOf(version);
    const rule = rules.find((one) => one.path === path);
    return rule && { rule, among: { definition: this.definition, rules, writing: this.#writing } };
  }

  #rulesOf(name: string): readonly LoneRule[] {
    const known = this.#rules.get(name);
    if (known !== undefined) return known;
    const served = this.definition.serve(name);
    const rules = served?.ok === true ? loneRules(served.version) : [];
    this.#rules.set(name, rules);
    return rules;
  }
}

/**
 * Name of an engine for studies. `adaptive` validates objects and chooses between `compiled` and `interpreted`. `measured` counts the steps
 * of an evaluation.
 */
export type StudyEngine = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Definitions that a cell of a study uses, each compiled for a given engine. */
export interface CellSubjects {
  /** Returns the definition under study, compiled for `engine`. */
  readonly head: (engine: StudyEngine) => StudiedDefinition;
  /** Returns the older revision of the definition, compiled for `engine`. Absent if there is no older revision. */
  readonly base?: (engine: StudyEngine) => StudiedDefinition;
  /** Returns the source document of the definition under study. Absent if no cell (part) of the study describes evaluations. */
  readonly source?: () => JsonValue;
  /** Compiles the definition under study again from the beginning. */
  readonly compileAgain: () => void;
  readonly choice: (engine: StudyEngine) => EngineChoice;
}

/** Clock, memory meter and cancellation token that a cell of a study uses. */
export interface CellPorts {
  /** Returns the time of a monotonic clock, in ms. */
  readonly now: () => number;
  /** Returns the CPU time of the thread, in ms. Absent if the platform does not report CPU times. */
  readonly cpuMs?: () => number;
  /** Returns the bytes of heap in use. Absent if the platform does not report heap usage. */
  readonly heapUsed?: () => number;
  readonly token: CancellationToken;
}

/** An engine whose times a study reports, and the label under which the report shows these times. */
export interface TimedEngine {
  readonly name: StudyEngine;
  readonly label: AssayEngine;
}

/**
 * Entry for the CEL engine that generates code for rules, among the engines whose times a study reports. Assay uses this engine for rules
 * that are evaluated often.
 */
export const COMPILED: TimedEngine = { name: 'compiled', label: 'Assay compiled' };
/** Interpreter, as an engine whose times a study reports. Assay uses it for rules that are evaluated only a few times. */
export const INTERPRETED: TimedEngine = { name: 'interpreted', label: 'Assay interpreted' };
