import { loneRules } from '#crd';
import type { CompiledDefinition, LoneRule } from '#crd';
import type { CancellationToken } from '#go';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { EffectiveSchemas } from '../values/effective-schema.ts';
import { Deadline } from './deadline.ts';
import { studyRule } from './study-rule.ts';
import type { StudiedRules } from './study-rule.ts';
import type { RuleStudy } from './rule-study.ts';

/** A rule with what is known of it so far. */
export interface StudiedRule {
  readonly rule: LoneRule;
  readonly study: RuleStudy;
  /** Rounds in which it was studied, each for longer. */
  readonly rounds: number;
}

/** Time, chance and choice of a definition's study. */
export interface DefinitionStudySettings {
  /** Time for all rules, ms. */
  readonly budgetMs: number;
  /** A monotonic clock, ms. */
  readonly now: () => number;
  /** Returns a source of numbers from 0 to below 1: each rule has its own, so that its study does not depend on others. */
  readonly random: () => () => number;
  /** Rules to study; by default all. */
  readonly wanted?: (rule: LoneRule) => boolean;
  readonly token?: CancellationToken | undefined;
}

/** The share of a rule in the first round, ms: everybody gets an answer soon. Each further round has four times as much. */
const FIRST_MS = 60;
const LONGER = 4;
const MOST_ROUNDS = 5;
/** A longer value than any request, bytes. */
const MOST_BYTES = 3_400_000;

/**
 * Studies the rules of a definition's served versions, round by round. First it studies each for a short time, then the unfinished ones for longer. Gives
 * each rule whenever something new is known of it, until all came to an end, the time is over or the token is raised. It names rules that it did not reach.
 */
export function* studyDefinition(definition: CompiledDefinition, settings: DefinitionStudySettings): Generator<StudiedRule, void, void> {
  const { budgetMs, now, random, wanted = () => true, token } = settings;
  const end = new Deadline(now, budgetMs, token);
  const until = now() + budgetMs;
  let open = rulesOf(definition).filter(({ rule }) => wanted(rule));
  for (let round = 0, ms = FIRST_MS; round < MOST_ROUNDS && open.length > 0; round++, ms *= LONGER) {
    const unfinished: OpenRule[] = [];
    for (const [i, one] of open.entries()) {
      if (end.cancelled) return yield* neverReached(open.slice(i));
      // Who comes late in a round has an equal share of the rest.
      const share = Math.min(ms, Math.max(1, (until - now()) / (open.length - i)));
      const study = studyRule(one.rule, one.among, { ms: share, now, random: random(), token: end });
      const known = sharper(one.known, study);
      yield { rule: one.rule, study: known, rounds: round + 1 };
      if (study.isPartial) unfinished.push({ ...one, known });
    }
    open = unfinished;
  }
}

const LATE: RuleStudy = { kind: 'notStudied', reason: 'the time was over before its turn', isPartial: true };

/** Tells of the rules that no round reached. */
function* neverReached(open: readonly OpenRule[]): Generator<StudiedRule, void, void> {
  for (const { rule, known } of open) if (known === undefined) yield { rule, study: LATE, rounds: 0 };
}

/** A rule that is not studied to its end. */
interface OpenRule {
  readonly rule: LoneRule;
  readonly among: StudiedRules;
  /** The findings of earlier rounds. */
  readonly known?: RuleStudy;
}

/** Returns what a longer study found; the dearest write of an earlier one stays if it is dearer. */
function sharper(earlier: RuleStudy | undefined, later: RuleStudy): RuleStudy {
  if (earlier?.kind !== 'studied') return later;
  if (later.kind !== 'studied') return earlier;
  const isDearer = (earlier.dearest?.cost ?? -1) > (later.dearest?.cost ?? -1);
  return isDearer ? { ...later, dearest: earlier.dearest, obstacle: earlier.obstacle } : later;
}

function rulesOf(definition: CompiledDefinition): readonly OpenRule[] {
  const writing = { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), mostBytes: MOST_BYTES };
  return definition.versions.flatMap((name) => {
    const served = definition.serve(name);
    if (served?.ok !== true) return [];
    const rules = loneRules(served.version);
    return rules.map((rule) => ({ rule, among: { definition, rules, writing } }));
  });
}
