import { readStudyReport } from '#report';
import type { StudyReport } from '#benchmark';
import type { JudgeClient } from '../judge/judge-client.ts';
import type { BenchmarkAnswer, BenchmarkAsk } from '../judge/judge-messages.ts';
import type { ApiClient, StudyState } from '../server/api-client.ts';
import type { AskOutcome } from '../worker/watched-worker.ts';
import type { BenchmarkPlace } from './benchmark-run.ts';

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
