import type { PlacedFindings } from '#benchmark';
import type { WorkPerformer } from '#runner/in-process';
import { studyBody, studyDefinitions } from '#service';
import type { StudyBody, StudyFindings, StudyProgress, StudyRequest } from '#service';
import type { WorkSettings } from '../worker/serve-asks.ts';
import { NO_TEXTS } from '../state/texts.ts';
import { canCompile, optionsFor, reportingEngine } from './evaluate-texts.ts';
import type { BenchmarkAnswer, BenchmarkAsk } from './judge-client.ts';
import { definedName, documentsIn } from './read-texts.ts';

/** Seed of the random choices. The page uses the same seed as the command line, so that both make the same choices. */
const SEED = 1;

/**
 * Studies one rule in the browser. If this rule replaces an older rule, also studies the older rule. Passes each intermediate result to
 * `reportPart`, and resolves with the final result.
 */
export async function benchmarkTexts(
  performer: WorkPerformer,
  ask: BenchmarkAsk,
  { signal, reportPart, alive }: WorkSettings,
): Promise<BenchmarkAnswer> {
  const answer = (phase: Extract<BenchmarkAnswer, { kind: 'studied' }>['phase'], findings: PlacedFindings): BenchmarkAnswer => ({
    kind: 'studied',
    phase,
    findings,
    compiles: canCompile(),
    place: 'browser',
  });
  const reportProgress = ({ phase, latest }: StudyProgress): void => reportPart(answer(phase, latest));
  const findings = await studyDefinitions(reportingEngine(performer, alive), studyRequest(ask), { signal, notify: reportProgress });
  const rule = findings.rules.find(({ version, path }) => version === ask.rule.version && path === ask.rule.path);
  return rule === undefined ? { kind: 'notStudied', why: reasonOf(findings) } : answer('over', rule);
}

/** Returns the request body with which a service studies the rule. */
export function bodyOfStudy(ask: BenchmarkAsk): StudyBody {
  const { isWanted: _, ...order } = studyRequest(ask);
  return studyBody({ ...order, rule: `${ask.rule.version} ${ask.rule.path}` });
}

function studyRequest({ texts, minor, rule, older, isTimed, budgetMs }: BenchmarkAsk): StudyRequest {
  const { definitions, objects } = documentsIn(texts);
  const before = older === undefined ? [] : documentsIn({ ...NO_TEXTS, definitions: older }, ['definitions']).definitions;
  const isStudied = ({ slice }: (typeof definitions)[number]): boolean => definedName(slice) === rule.definition;
  return {
    definitions: definitions.filter(isStudied).map(({ pane, slice }) => ({ source: pane, slice })),
    objects: objects.map(({ slice }) => slice),
    options: optionsFor(minor),
    budgetMs,
    seed: SEED,
    base: older === undefined ? undefined : { name: 'older', definitions: before.filter(isStudied).map(({ slice }) => slice) },
    isTimed,
    isWanted: ({ version, path }) => version === rule.version && path === rule.path,
  };
}

const reasonOf = ({ definitions: [first] }: StudyFindings): string =>
  first === undefined ? 'the definition is not here any more' : (first.notStudied ?? first.refused ?? 'the definition has no such rule');
