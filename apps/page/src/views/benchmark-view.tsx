import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { BenchmarkRun, ServicePlace } from '../benchmark/service-place.ts';
import type { BenchmarkPlace, BenchmarkProgress } from '../benchmark/service-place.ts';
import { chosenRule, listRules, isSameRule } from '../benchmark/listed-rules.ts';
import type { ListedRule } from '../benchmark/listed-rules.ts';
import { startJudge } from '../judge/judge-client.ts';
import { ApiClient } from '../server/api-client.ts';
import type { PageSession } from '../state/page-session.ts';
import type { PageState } from '../state/page-state.ts';
import { BENCHMARK_STYLE } from './curve-figure.tsx';
import { BenchmarkFindings } from './benchmark-findings.tsx';
import { EarlierStudies } from './earlier-studies.tsx';
import { KeyField } from './key-field.tsx';
import { useAnswer } from './use-answer.ts';
import { costWords, grouped } from '#numbers';

/** Time budget of a benchmark, in ms. */
const BUDGET_MS = 10_000;
/** Pauses after the last change of the texts, in ms: before the rules are listed, and then before a rule is studied. */
const [LIST_PAUSE_MS, BEGIN_PAUSE_MS] = [300, 150] as const;

/** Rules of the definitions in the editors. `of` contains the texts and the minor version from which the rules were listed. */
interface Listing {
  readonly of: Pick<PageState, 'texts' | 'minor'>;
  readonly rules: readonly ListedRule[];
}

/** Studies one rule. Shows the growth of its cost, the size from which a server refuses a write, and, on request, evaluation times. */
export function BenchmarkView({ session }: { readonly session: PageSession }): JSX.Element {
  const { texts, benchmark = {} } = session.state;
  const { listing, problem } = useListing(session);
  const service = useService(session);
  const [isAtService, setAtService] = useState(false);
  const { progress, begin, stop } = useRun(session, isAtService ? service : undefined);
  const chosen = listing && chosenRule(listing.rules, benchmark.rule);
  const isTimed = progress?.answer?.kind === 'studied' && progress.answer.findings.times.length > 0;
  const start = (times: 'withTimes' | 'withoutTimes'): void => {
    if (listing === undefined || chosen === undefined) return;
    const { definition, version, path } = chosen;
    void begin({
      ...listing.of,
      kind: 'benchmark',
      rule: { definition, version, path },
      older: benchmark.older,
      isTimed: times === 'withTimes',
      budgetMs: BUDGET_MS,
    });
  };
  useEffect(() => {
    // The texts go to a service only if the user clicks a button.
    if (isAtService) return undefined;
    const timer = setTimeout(() => start('withoutTimes'), BEGIN_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [listing, chosen?.definition, chosen?.version, chosen?.path, benchmark.older, isAtService]);
  if (problem !== undefined) return <p class="bad">The page could not list the rules: {problem}.</p>;
  if (listing === undefined) return <p class="muted">listing the rules …</p>;
  if (chosen === undefined) return <p class="empty">Your definitions have no rules to measure.</p>;
  return (
    <>
      <style>{BENCHMARK_STYLE}</style>
      <RuleChoice
        rules={listing.rules}
        chosen={chosen}
        onChoose={({ definition, version, path }) => session.setBenchmark({ rule: { definition, version, path } })}
      />
      {service && <PlaceChoice session={session} isAtService={isAtService} onChoose={setAtService} />}
      <p class="row">
        {progress?.state === 'running' && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
        {progress?.state !== 'running' && isAtService && (
          <button type="button" class="primary" onClick={() => start('withoutTimes')}>
            Send the definition and measure
          </button>
        )}
        {(progress?.state === 'stopped' || progress?.state === 'failed') && !isAtService && (
          <button type="button" onClick={() => start('withoutTimes')}>
            Measure again
          </button>
        )}
        <button type="button" onClick={() => start('withTimes')}>
          {isTimed ? 'Measure times again' : 'Measure times, too'}
        </button>
        {benchmark.older === undefined ? (
          <button type="button" onClick={() => session.setBenchmark({ older: texts.definitions })}>
            Compare later changes with this
          </button>
        ) : (
          <button type="button" onClick={() => session.setBenchmark({ older: undefined })}>
            Stop comparing
          </button>
        )}
      </p>
      {progress && <BenchmarkLine progress={progress} />}
      {progress?.answer && <BenchmarkFindings answer={progress.answer} />}
      {service && isAtService && (
        <EarlierStudies service={service} definition={chosen.definition} hasKey={session.serverKey !== ''} after={progress?.state} />
      )}
    </>
  );
}

/** Lists the rules when the view opens, and whenever the texts change. */
function useListing(session: PageSession): { readonly listing: Listing | undefined; readonly problem: string | undefined } {
  const { texts, minor } = session.state;
  const { last, why } = useAnswer(session, { kind: 'explain', texts, minor }, { after: [texts, minor], pauseMs: LIST_PAUSE_MS });
  const listing = useMemo(() => last && { of: last.ask, rules: listRules(last.answer) }, [last]);
  return { listing, problem: why };
}

/** Lets the user choose where benchmarks run: in this browser, or in the service that served the page. */
function PlaceChoice({
  session,
  isAtService,
  onChoose,
}: {
  readonly session: PageSession;
  readonly isAtService: boolean;
  readonly onChoose: (isAtService: boolean) => void;
}): JSX.Element {
  return (
    <div class="row">
      <fieldset class="choice">
        <legend class="unseen">Where to measure</legend>
        {[false, true].map((one) => (
          <label key={`${one}`}>
            <input type="radio" name="place" checked={one === isAtService} onChange={() => onChoose(one)} />{' '}
            {one ? 'On the server of this page' : 'In this browser'}
          </label>
        ))}
      </fieldset>
      {isAtService && <KeyField session={session} />}
    </div>
  );
}

/**
 * Returns a client of the service that served the page. Returns undefined if a host of static files served the page, and until the answer
 * of the host is known.
 */
function useService(session: PageSession): ApiClient | undefined {
  const [service, setService] = useState<ApiClient>();
  useEffect(() => {
    const api = new ApiClient(() => session.serverKey);
    void api.isThere().then((isThere) => isThere && setService(api));
  }, []);
  return service;
}

/** Returns the executor of benchmarks in the browser: a worker of this view, which the first benchmark starts. */
function pagePlace(): BenchmarkPlace {
  const judge = startJudge();
  return { perform: (ask, onPart) => judge.ask(ask, { onPart }), end: () => judge.end('you stopped it') };
}

/**
 * Runs benchmarks while the view is open: at `service`, or in the browser if `service` is undefined. If `service` changes, a running
 * benchmark ends.
 */
function useRun(
  session: PageSession,
  service: ApiClient | undefined,
): { readonly progress: BenchmarkProgress | undefined; readonly begin: BenchmarkRun['begin']; readonly stop: () => void } {
  const [progress, setProgress] = useState<BenchmarkProgress>();
  const run = useRef<{ readonly service: ApiClient | undefined; readonly run: BenchmarkRun }>(undefined);
  if (run.current === undefined || run.current.service !== service) {
    run.current?.run.stop();
    const place = service === undefined ? pagePlace() : new ServicePlace(service, session.besides);
    run.current = { service, run: new BenchmarkRun(place, setProgress) };
  }
  const { run: current } = run.current;
  useEffect(() => () => run.current?.run.stop(), []);
  return { progress, begin: (ask) => current.begin(ask), stop: () => current.stop() };
}

/** Maximum number of rules that are listed, the most expensive first. */
const LISTED = 100;

/** Lets the user choose a rule. The most expensive rule comes first. */
function RuleChoice({
  rules,
  chosen,
  onChoose,
}: {
  readonly rules: readonly ListedRule[];
  readonly chosen: ListedRule;
  readonly onChoose: (rule: ListedRule) => void;
}): JSX.Element {
  const listed = rules.filter((rule, i) => i < LISTED || rule === chosen);
  const hasMany = new Set(rules.map(({ definition }) => definition)).size > 1;
  return (
    <fieldset class="rule-choice">
      <legend>Rule, most expensive first</legend>
      <div>
        {listed.map((rule) => (
          <label key={`${rule.definition} ${rule.version} ${rule.path}`}>
            <input type="radio" name="benchmark-rule" checked={isSameRule(rule, chosen)} onChange={() => onChoose(rule)} />
            <span>
              <code>{rule.words}</code>
              <small>
                {rule.estimate === undefined ? 'does not compile' : `estimate ${costWords(rule.estimate)} units`} ·{' '}
                {hasMany && `${rule.definition} `}
                {rule.version} {rule.path}
              </small>
            </span>
          </label>
        ))}
      </div>
      {rules.length > listed.length && <p class="muted">… and {grouped(rules.length - listed.length)} cheaper ones.</p>}
    </fieldset>
  );
}

/** Interval at which the progress bar moves, in ms. */
const STEP_MS = 250;

const PHASES = {
  costs: 'searching for the most expensive write',
  times: 'measuring times',
  comparison: 'comparing with the earlier rule',
  over: 'ready',
} as const;

/** Shows the progress of a benchmark in one line. */
function BenchmarkLine({ progress }: { readonly progress: BenchmarkProgress }): JSX.Element {
  const { state, ask, answer, why } = progress;
  const isRunning = state === 'running';
  const spentMs = useSpent(ask, isRunning);
  const phase = answer?.kind === 'studied' && answer.phase !== 'over' ? answer.phase : 'costs';
  const words = {
    running: `${PHASES[phase]} …`,
    over: PHASES.over,
    stopped: 'stopped; the findings so far are below',
    failed: `not studied: ${why}`,
  };
  return (
    <p class={state === 'over' ? 'benchmark-line unseen' : 'benchmark-line muted'}>
      {isRunning && <progress value={Math.min(spentMs, ask.budgetMs)} max={ask.budgetMs} aria-label="Time of the benchmark" />}
      <span role="status">{words[state]}</span>
    </p>
  );
}

/** Returns the time since a benchmark began, in ms. The component is rendered again as the time passes. */
function useSpent(ask: BenchmarkProgress['ask'], isRunning: boolean): number {
  const [spentMs, setSpent] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const begun = performance.now();
    setSpent(0);
    const timer = setInterval(() => setSpent(performance.now() - begun), STEP_MS);
    return () => clearInterval(timer);
  }, [ask, isRunning]);
  return spentMs;
}
