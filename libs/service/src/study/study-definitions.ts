import { definitionText, definitionWrite, serverOf } from '#documents';
import type {
  BaseComparison,
  CellFindings,
  CompileFindings,
  CostFindings,
  PlacedFindings,
  StudiedDefinitionReport,
  StudyCell,
} from '#benchmark';
import type { DefinitionText, DocumentSlice, ExplainedDefinition, ExplainedRule } from '#documents';
import type { SchemaChange } from '#kube';
import { otherServers } from '../explain/explain-text.ts';
import type { Engine } from '../ports.ts';
import { compareStates } from '../what-if/what-if.ts';
import { matchRules, renamedVersion } from '../diff/match-rules.ts';
import { ChangedFields, ruleChange, priorityOf } from './rule-changes.ts';
import { CostSearch } from './cost-search.ts';
import { BROKEN_SEARCH, RuleTask } from './rule-task.ts';
import type { RulePlace } from './rule-task.ts';
import type { StudyFindings, StudyProgress, StudyRequest } from './study-order.ts';

/**
 * Shares of the study's total time at which its phases end. The cost search ends at `costs`, or at `costsBesideBase` if there is an older
 * revision, or at `untimedCostsBesideBase` if the study also measures no times. Time measurements end at `timesBesideBase` if there is an
 * older revision. If a phase ends earlier, the next phase can use the remaining time. A study without time measurements and without an
 * older revision uses the whole time for costs.
 */
const SHARES = { costs: 0.6, costsBesideBase: 0.5, timesBesideBase: 0.75, untimedCostsBesideBase: 0.85 } as const;
/**
 * Limits in ms for one rule. The first is the minimum time for a time measurement or a comparison. The others are the maximum time for the
 * rule's time measurements, and the maximum time for its comparison.
 */
const [MIN_MS, MAX_TIMES_MS, MAX_COMPARISON_MS] = [20, 2000, 5000] as const;
/** Maximum time in ms for measuring the compilation of a definition and the reference functions. */
const REFERENCE_MS = 400;

/** Optional dependencies of a study. */
export interface StudyPorts {
  readonly signal?: AbortSignal;
  /** Called whenever there is a new finding about a rule. `soFar` returns the findings up to the time of its call. */
  readonly notify?: (progress: StudyProgress, soFar: () => StudyFindings) => void;
}

/**
 * Performs a study. The steps are: estimate the costs → search for expensive values → measure times → compare with the older revision. Ends
 * when the time budget is used up or `signal` is aborted, and returns the findings so far.
 */
export async function studyDefinitions(engine: Engine, request: StudyRequest, ports: StudyPorts = {}): Promise<StudyFindings> {
  const run = new StudyRun(engine, request, ports);
  await run.open();
  await run.searchCosts();
  await run.takeTimes();
  await run.compare();
  return run.report();
}

/** Definition with its report and the cost estimates of its rules. */
interface Explained {
  readonly text: DefinitionText;
  readonly report: ExplainedDefinition['report'];
  readonly rules: readonly ExplainedRule[];
  /** False if the definition cannot be used to validate objects. */
  readonly usable: boolean;
}

class StudyRun {
  readonly #engine: Engine;
  readonly #request: StudyRequest;
  readonly #ports: StudyPorts;
  /**
   * Start of the time budget, which is the time at which the rules are known. Reading the definitions and estimating their costs is not
   * part of the budget.
   */
  #begun = performance.now();
  readonly #tasks: RuleTask[] = [];
  readonly #definitions: StudiedDefinitionReport[] = [];
  /** Findings about rules of the older revision that no rule of the newer revision replaces. */
  readonly #removed: PlacedFindings[] = [];
  readonly #references = new Map<DefinitionText, CompileFindings>();
  /** Rule of the older revision for each rule that replaces it. */
  readonly #bases = new Map<RuleTask, RuleTask>();
  /** Rules for which at least one finding is known. */
  readonly #known = new Set<RuleTask>();

  constructor(engine: Engine, request: StudyRequest, ports: StudyPorts) {
    this.#engine = engine;
    this.#request = request;
    this.#ports = ports;
  }

  /** Lists the rules of all definitions. Pairs each rule with the rule of the older revision that it replaces. */
  async open(): Promise<void> {
    const { definitions, base } = this.#request;
    const before: Explained[] = [];
    for (const slice of base?.definitions ?? []) {
      const explained = await this.#explain(slice);
      if (typeof explained === 'object') before.push(explained);
    }
    const byName = Map.groupBy(before, ({ report }) => report.name);
    for (const { source, slice } of definitions) {
      const explained = await this.#explain(slice);
      // If several definitions have the same name, their order determines which old and new definitions belong together.
      const same = typeof explained === 'object' ? byName.get(explained.report.name) : undefined;
      const partner = same !== undefined && same.length > 1 ? same.shift() : same?.[0];
      if (typeof explained === 'object') await this.#openDefinition(source, explained, partner);
      else this.#definitions.push({ source, rules: 0, notStudied: UNPRICED[explained] });
    }
    this.#begun = performance.now();
  }

  async #openDefinition(source: string, current: Explained, base: Explained | undefined): Promise<void> {
    const place = { definition: current.report.name, source };
    const wanted = current.rules.filter((rule) => this.#request.isWanted(rule));
    this.#definitions.push(definitionReport(place, current, wanted.length));
    const renamed = renamedVersion(base?.report.versions ?? [], current.report.versions ?? []);
    const matches = matchRules(base?.rules ?? [], current.rules, renamed);
    const fields = new ChangedFields(base === undefined ? [] : await this.#schemaChanges(base, current));
    const changes = new Map(matches.flatMap((match) => (match.after ? [[match.after, ruleChange(match, fields)] as const] : [])));
    const partners = new Map(matches.flatMap(({ before, after }) => (before && after ? [[after, before] as const] : [])));
    const duplicates = new Map<string, RuleTask>();
    for (const rule of wanted) {
      const replaced = partners.get(rule);
      const baseTask = base && replaced && new RuleTask(place, base.text, replaced);
      const task = new RuleTask(place, current.text, rule, baseTask);
      if (this.#request.base !== undefined) task.change = changes.get(rule);
      if (baseTask) this.#bases.set(baseTask, task);
      const key = JSON.stringify([rule.path, rule.rule]);
      task.duplicateOf = duplicates.get(key);
      if (baseTask) baseTask.duplicateOf = task.duplicateOf ?? task;
      duplicates.set(key, task.duplicateOf ?? task);
      if (!current.usable) this.#takeCosts(task, UNUSABLE);
      if (this.#request.base !== undefined && replaced === undefined) task.comparison = { kind: 'new' };
      this.#tasks.push(task);
    }
    const replaced = new Set(partners.values());
    const gone = (base?.rules ?? []).filter((rule) => !replaced.has(rule) && this.#request.isWanted(rule));
    if (base) this.#removed.push(...gone.map((rule) => removed(new RuleTask(place, base.text, rule))));
  }

  /** Returns the differences between the schemas of two revisions. Returns none if they could not be compared. */
  async #schemaChanges(base: Explained, current: Explained): Promise<readonly SchemaChange[]> {
    const change = { from: base.text, to: current.text, options: this.#request.options };
    const compared = await compareStates(this.#engine, change, this.#ports.signal);
    return compared?.changes ?? [];
  }

  async #explain(slice: DocumentSlice): Promise<Explained | 'broken' | 'stopped'> {
    const { options } = this.#request;
    const text = definitionText(slice, serverOf(options));
    const servers = { oldest: options.oldestVersion, others: otherServers(options) };
    const work = { kind: 'explain', definition: text, ...definitionWrite(text, options), ...servers } as const;
    const answer = await this.#engine.run(work, this.#settings);
    if (answer.kind !== 'done') return answer.kind === 'broken' ? 'broken' : 'stopped';
    const { explained, usable } = answer.result;
    return { text, report: explained.report, rules: explained.rules, usable };
  }

  /** Searches the most expensive write of each rule. A rule that equals another rule is searched after that rule. */
  async searchCosts(): Promise<void> {
    const { base, isTimed, budgetMs } = this.#request;
    const shares = isTimed ? [SHARES.costs, SHARES.costsBesideBase] : [1, SHARES.untimedCostsBesideBase];
    const until = this.#begun + (shares[base === undefined ? 0 : 1] ?? 1) * budgetMs;
    const all = this.#tasks.filter(({ costs }) => costs === undefined).flatMap((task) => (task.base ? [task, task.base] : [task]));
    const search = new CostSearch(this.#engine.threads, this.#ports.signal, (task, ms) => this.#searchTask(task, ms));
    await search.searchGroups([...Map.groupBy(all, (task) => priorityOf(this.#bases.get(task) ?? task))], until);
  }

  /** Returns the rules in the order in which each step takes them: the rules that the change touches come first. */
  #ordered(): readonly RuleTask[] {
    return this.#tasks.toSorted((a, b) => priorityOf(a) - priorityOf(b));
  }

  async #searchTask(task: RuleTask, ms: number): Promise<void> {
    const { seed, objects } = this.#request;
    const hints = [task, task.duplicateOf].flatMap((one) => one?.hints ?? []);
    // A duplicate starts with the result of the same rule in another version or revision.
    const start = task.costs === undefined ? task.duplicateOf?.costs?.from : undefined;
    const suggested = task.suggestedSizes;
    const cell = { kind: 'costs', rule: task.key, ms, seed, objects, hints, suggested, ...(start && { start }) } as const;
    const costs = await this.#perform(task.text, undefined, cell);
    if (costs === undefined) return;
    this.#takeCosts(task, costs === 'broken' ? BROKEN_SEARCH : costs);
    const reported = this.#bases.get(task) ?? task;
    if (reported.costs !== undefined) this.#reportProgress('costs', reported);
  }

  /** Measures the evaluation times of all rules. Repeats disturbed measurements if there is time left. */
  async takeTimes(): Promise<void> {
    if (!this.#request.isTimed) return;
    const timed = this.#ordered().filter(({ costs }) => costs?.worst !== undefined && costs.from !== undefined);
    const share = this.#request.base === undefined ? 1 : SHARES.timesBesideBase;
    const until = this.#begun + share * this.#request.budgetMs;
    await this.#takeTimesOf(timed, until);
    await this.#takeTimesOf(
      timed.filter(({ times }) => times?.disturbed !== undefined),
      until,
    );
  }

  /** Measures the rules one after another, because simultaneous measurements would disturb each other. */
  async #takeTimesOf(timed: readonly RuleTask[], until: number): Promise<void> {
    for (const [i, task] of timed.entries()) {
      if (this.#isOver(until)) return;
      await this.#reference(task.text);
      const ms = Math.min(MAX_TIMES_MS, Math.max(MIN_MS, (until - performance.now()) / (timed.length - i)));
      const times = await this.#perform(task.text, undefined, timesCell(task, ms, this.#request.seed));
      if (times !== undefined && times !== 'broken') task.takeTimes(times);
      this.#reportProgress('times', task);
    }
  }

  /** Measures the compilation of a definition and the reference functions, once for each definition. */
  async #reference(text: DefinitionText): Promise<void> {
    if (this.#references.has(text)) return;
    const ms = Math.min(REFERENCE_MS, 0.03 * this.#request.budgetMs);
    const reference = await this.#perform(text, undefined, { kind: 'compile', ms });
    if (reference !== undefined && reference !== 'broken') this.#references.set(text, reference);
  }

  /** Compares each rule with the rule of the older revision that it replaces. */
  async compare(): Promise<void> {
    const until = this.#begun + this.#request.budgetMs;
    const compared = this.#ordered().filter(({ base, costs }) => base !== undefined && costs?.worst !== undefined);
    for (const [i, task] of compared.entries()) {
      if (this.#isOver(until) || task.base === undefined) return;
      const ms = Math.min(MAX_COMPARISON_MS, Math.max(MIN_MS, (until - performance.now()) / (compared.length - i)));
      const plans = [task, task.base].flatMap(({ costs }) => costs?.worst?.plan ?? []);
      const cell = { kind: 'compare', rule: task.key, ms: this.#request.isTimed ? ms : 0, baseRule: task.base.key, plans } as const;
      const comparison = await this.#perform(task.text, task.base.text, cell);
      if (comparison !== undefined && comparison !== 'broken') task.comparison = comparison;
      this.#reportProgress('comparison', task);
    }
  }

  /** Returns the report of all findings so far. */
  report(): StudyFindings {
    const { options, seed, budgetMs, base } = this.#request;
    const rules = [...this.#tasks.map((task) => this.#findings(task)), ...this.#removed];
    const reasons = Map.groupBy(
      rules.flatMap(({ notStudied }) => notStudied ?? []),
      (reason) => reason,
    );
    return {
      schema: 'assay.dev/study/v1',
      kubernetesVersion: options.kubernetesVersion,
      seed,
      budgetMs,
      isPartial: this.#ports.signal?.aborted === true || rules.some(({ isPartial }) => isPartial),
      ...(base && { base: base.name }),
      definitions: this.#definitions,
      rules,
      notStudied: [...reasons].map(([reason, all]) => ({ reason, rules: all.length })).sort((a, b) => b.rules - a.rules),
    };
  }

  #findings(task: RuleTask): PlacedFindings {
    return task.findings(this.#references.get(task.text));
  }

  #takeCosts(task: RuleTask, costs: CostFindings): void {
    task.takeCosts(costs);
    if (!this.#bases.has(task)) this.#known.add(task);
  }

  #reportProgress(phase: StudyProgress['phase'], task: RuleTask): void {
    const leftMs = Math.max(0, this.#begun + this.#request.budgetMs - performance.now());
    const progress = {
      phase,
      known: this.#known.size,
      rules: this.#tasks.length,
      leftMs,
      latest: this.#findings(task),
    };
    this.#ports.notify?.(progress, () => this.report());
  }

  /**
   * Performs a cell (one part of the study) and returns its findings. Returns undefined if the cell was stopped, and `broken` if the cell
   * broke its thread.
   */
  async #perform<Cell extends StudyCell>(
    definition: DefinitionText,
    base: DefinitionText | undefined,
    cell: Cell,
  ): Promise<CellFindings[Cell['kind']] | 'broken' | undefined> {
    const answer = await this.#engine.run({ kind: 'study', definition, base, cell }, this.#settings);
    if (answer.kind === 'broken') return 'broken';
    // TypeScript cannot see that the type of the findings belongs to the kind of the cell.
    return answer.kind === 'done' ? (answer.result as CellFindings[Cell['kind']]) : undefined;
  }

  get #settings(): { readonly signal?: AbortSignal } {
    return this.#ports.signal ? { signal: this.#ports.signal } : {};
  }

  #isOver(until: number): boolean {
    return this.#ports.signal?.aborted === true || performance.now() >= until;
  }
}

/** Reasons why the costs of a definition's rules were not estimated. */
const UNPRICED = {
  broken: 'it ended the engine that priced its rules',
  stopped: 'the study ended before its rules were priced',
} as const;

/** Maximum length of a refusal's text in a report. The limit is needed because a refusal may list thousands of errors. */
const REFUSAL_LENGTH = 600;

const UNUSABLE: CostFindings = { growsWith: [], notStudied: 'a server refuses its definition', isPartial: false };

function definitionReport({ definition, source }: RulePlace, { report, usable }: Explained, rules: number): StudiedDefinitionReport {
  const message = report.accepted ? undefined : (report.status?.message ?? 'for an unknown reason');
  return {
    source,
    definition,
    ...(report.composite !== undefined && { composite: report.composite }),
    rules,
    ...(message !== undefined && { refused: message.length > REFUSAL_LENGTH ? `${message.slice(0, REFUSAL_LENGTH)}…` : message }),
    ...(!usable && { notStudied: UNUSABLE.notStudied }),
  };
}

/** Returns the findings about a rule that the newer revision does not contain. */
function removed(task: RuleTask): PlacedFindings {
  const comparison: BaseComparison = { kind: 'removed' };
  task.takeCosts({ growsWith: [], notStudied: 'the newer revision lacks it', isPartial: false });
  task.comparison = comparison;
  task.change = 'gone';
  return task.findings(undefined);
}

function timesCell(task: RuleTask, ms: number, seed: number): Extract<StudyCell, { readonly kind: 'times' }> {
  const { costs, key } = task;
  const [steepest] = costs?.growsWith ?? [];
  const from = costs?.from;
  return {
    kind: 'times',
    rule: key,
    ms,
    seed,
    worst: costs?.worst?.plan ?? { fields: {}, old: 'none' },
    ...(steepest &&
      from && {
        steepest: { field: steepest.field, unit: steepest.unit, sizes: steepest.points.map(({ size }) => size), from },
      }),
  };
}
