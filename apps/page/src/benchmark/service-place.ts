import { readStudyReport } from '#report';
import type { StudyReport } from '#benchmark';
import type { JudgeClient, BenchmarkAnswer, BenchmarkAsk } from '../judge/judge-client.ts';
import type { ApiClient, StudyState } from '../server/api-client.ts';
import type { AskOutcome } from '../worker/watched-worker.ts';

/** Executor of benchmarks: the page's worker, or a service that answers in the same format. */
export interface BenchmarkPlace {
  /** Performs a benchmark. Calls `onPart` with intermediate answers. Never rejects. */
  readonly perform: (ask: BenchmarkAsk, onPart: (part: BenchmarkAnswer) => void) => Promise<AskOutcome<BenchmarkAnswer>>;
  /** Ends the running benchmark immediately. */
  readonly end: () => void;
}

/** State of one benchmark of a rule, which the page shows while the benchmark runs and after its end. */
export interface BenchmarkProgress {
  readonly state: 'running' | 'over' | 'stopped' | 'failed';
  readonly ask: BenchmarkAsk;
  /**
   * Most recent answer about the rule. Until this benchmark has an answer, it is the answer of an earlier benchmark of the same rule.
   * Absent if there is neither.
   */
  readonly answer?: BenchmarkAnswer;
  /** Reason why the benchmark failed; absent unless `state` is `failed`. */
  readonly why?: string;
}

/** Runner of benchmarks, one at a time. A new benchmark ends the previous one. */
export class BenchmarkRun {
  readonly #place: BenchmarkPlace;
  readonly #show: (progress: BenchmarkProgress) => void;
  #progress: BenchmarkProgress | undefined;

  constructor(place: BenchmarkPlace, show: (progress: BenchmarkProgress) => void) {
    this.#place = place;
    this.#show = show;
  }

  /** Ends the running benchmark if there is one, begins a new one, and resolves when it is over. Shows the answers in between. */
  async begin(ask: BenchmarkAsk): Promise<void> {
    const before = this.#progress;
    if (before?.state === 'running') this.#place.end();
    const known = before && placeOf(before.ask) === placeOf(ask) ? before.answer : undefined;
    this.#tell({ state: 'running', ask, ...(known && { answer: known }) });
    const isCurrent = (): boolean => this.#progress?.ask === ask && this.#progress.state === 'running';
    const outcome = await this.#place.perform(ask, (answer) => {
      if (isCurrent()) this.#tell({ state: 'running', ask, answer });
    });
    if (!isCurrent()) return;
    const { answer } = this.#progress ?? {};
    if (outcome.kind === 'answered') this.#tell({ state: 'over', ask, answer: outcome.answer });
    else if (outcome.kind === 'stopped') this.#tell({ state: 'stopped', ask, ...(answer && { answer }) });
    else this.#tell({ state: 'failed', ask, why: outcome.why, ...(answer && { answer }) });
  }

  /** Ends the running benchmark and keeps the findings that it has reported so far. */
  stop(): void {
    if (this.#progress?.state !== 'running') return;
    this.#tell({ ...this.#progress, state: 'stopped' });
    this.#place.end();
  }

  #tell(progress: BenchmarkProgress): void {
    this.#progress = progress;
    this.#show(progress);
  }
}

const placeOf = ({ rule: { definition, version, path } }: BenchmarkAsk): string => JSON.stringify([definition, version, path]);

type Phase = Extract<BenchmarkAnswer, { kind: 'studied' }>['phase'];
type Outcome = AskOutcome<BenchmarkAnswer>;
const ended = (why: string): Outcome => ({ kind: 'ended', why });

/**
 * Executor of benchmarks that sends the texts of the page to the service that served the page. The service runs each benchmark as a study.
 */
export class ServicePlace implements BenchmarkPlace {
  readonly #api: ApiClient;
  readonly #judge: JudgeClient;
  #stop = new AbortController();

  /** @param judge Writes the body of the request. */
  constructor(api: ApiClient, judge: JudgeClient) {
    this.#api = api;
    this.#judge = judge;
  }

  readonly perform = async (ask: BenchmarkAsk, onPart: (part: BenchmarkAnswer) => void): Promise<Outcome> => {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const read = await this.#judge.ask({ kind: 'study-body', texts: ask.texts, ask });
    if (read.kind !== 'answered') return read;
    if (!read.answer.ok) return ended(read.answer.problem);
    const ordered = await this.#api.orderStudy(read.answer.body);
    if (ordered.kind === 'refused') return ended(ordered.why);
    const { id } = ordered.answer;
    const last = await this.#follow(ordered.answer, signal, async (phase) => {
      const answer = await this.#answer(id, ask, phase);
      if (answer.kind === 'studied' && !signal.aborted) onPart(answer);
    });
    if (signal.aborted) {
      await this.#api.stopStudy(id);
      return { kind: 'stopped' };
    }
    if (last.state === 'failed') return ended(last.status?.message ?? 'the service tells no reason');
    if (last.state === 'waiting' || last.state === 'running') return ended('the connection to the service broke; the study goes on there');
    return { kind: 'answered', answer: await this.#answer(id, ask, 'over') };
  };

  readonly end = (): void => this.#stop.abort();

  /** Follows a study until it is over or `signal` is aborted. Calls `onProgress` when the findings change. Resolves with the last state. */
  async #follow(state: StudyState, signal: AbortSignal, onProgress: (phase: Phase) => Promise<void>): Promise<StudyState> {
    let last = state;
    for await (const next of this.#api.studyEvents(state.id, signal)) {
      last = next;
      if (next.state === 'running' && next.progress) await onProgress(next.progress.phase);
    }
    return last;
  }

  /**
   * Returns the findings of the study about the rule, with the given phase of the study. Returns the reason if the report has no findings
   * about the rule.
   */
  async #answer(id: string, { rule }: BenchmarkAsk, phase: Phase): Promise<BenchmarkAnswer> {
    const answer = await this.#api.studyReport(id);
    if (answer.kind === 'refused') return { kind: 'notStudied', why: answer.why };
    const report = readStudyReport(answer.answer);
    const findings = report?.rules.find(({ version, path }) => version === rule.version && path === rule.path);
    if (findings === undefined) return { kind: 'notStudied', why: reasonOf(report) };
    return {
      kind: 'studied',
      phase,
      findings,
      compiles: true,
      place: 'service',
      ...(report?.trace !== undefined && { trace: report.trace }),
    };
  }
}

const reasonOf = (report: StudyReport | undefined): string =>
  report === undefined
    ? 'the service answers with no report of a study'
    : (report.definitions[0]?.notStudied ?? report.definitions[0]?.refused ?? 'the service knows nothing about the rule yet');
