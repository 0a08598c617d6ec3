import { setTimeout as pause } from 'node:timers/promises';
import type { StudyReport } from '#benchmark';
import type { StudyOrder } from '#service';
import type { AssayService, ServiceAnswer } from '../service/assay-service.ts';
import { progressText } from './progress-text.ts';
import { readReport, readState } from './study-answers.ts';
import type { ReceivedState } from './study-answers.ts';
import { studyBody } from './study-body.ts';
import { INTERRUPTED } from './study-outcome.ts';
import type { StudyOutcome, StudyWatch } from './study-outcome.ts';

/** Time for requests that end a study, ms, after the user ended it. */
const GRACE_MS = 10_000;
/** A service may be away for so long, ms, as one is that starts again. */
const PATIENCE_MS = 60_000;
/** The pause before a service is asked again, ms. */
const RETRY_MS = 1000;
/** A stream of events that is silent for so long, ms, may be dead: the state is asked. */
const SILENCE_MS = 30_000;
/** Interval at which a line about a study may be shown, ms. */
const TELL_MS = 200;

type Failed = Extract<StudyOutcome, { readonly kind: 'failed' }>;
const failed = (problem: string): Failed => ({ kind: 'failed', problem });

/** Has a service perform a study, and follows it. A study that the user ends is stopped at the service, too. */
export async function studyAtService(service: AssayService, order: StudyOrder, { signal, report }: StudyWatch): Promise<StudyOutcome> {
  const answer = await service.ask({ method: 'POST', path: '/benchmarks', body: studyBody(order), signal: graceAfter(signal) });
  if (answer.kind !== 'answered') return failed(answer.problem);
  const state = readState(answer.text);
  if (state === undefined) return failed(`${service.url} answers POST /benchmarks with no state of a study`);
  return new ServiceStudy(service, order, state.id).follow({ signal, report });
}

/** Returns a signal that is raised some time after another one: what a service has begun, it has to stop. */
function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = (): void => void setTimeout(() => late.abort(), GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}

/** A study at a service. */
class ServiceStudy {
  readonly #service: AssayService;
  readonly #order: StudyOrder;
  readonly #path: string;

  constructor(service: AssayService, order: StudyOrder, id: string) {
    this.#service = service;
    this.#order = order;
    this.#path = `/benchmarks/${encodeURIComponent(id)}`;
  }

  /** Follows the study to its end, or stops it if the signal is raised. Resolves with the report. */
  async follow({ signal, report }: StudyWatch): Promise<StudyOutcome> {
    let news: ReceivedState | undefined;
    const line = (state: ReceivedState) => () => {
      news = undefined;
      return stateText(state);
    };
    const telling = setInterval(() => news && report(line(news)), TELL_MS);
    try {
      const end = await this.#end(signal, (state) => (news = state));
      if (end === undefined) return await this.#stop();
      return end.kind === 'failed' ? end : await this.#ended(end.state, signal);
    } finally {
      clearInterval(telling);
    }
  }

  /** Resolves with the state in which the study ended, or the reason why it is not known; undefined if the signal was raised before. */
  async #end(
    signal: AbortSignal,
    take: (state: ReceivedState) => void,
  ): Promise<{ readonly kind: 'over'; readonly state: ReceivedState } | Failed | undefined> {
    while (!signal.aborted) {
      const last = await this.#lastEvent(signal, take);
      if (last && isOver(last)) return { kind: 'over', state: last };
      const answer = await this.#askPatiently(this.#path, signal);
      if (answer === undefined) break;
      if (answer.kind !== 'answered') return failed(answer.problem);
      const state = readState(answer.text);
      if (state === undefined) return failed(`${this.#service.url} answers GET ${this.#path} with no state of a study`);
      if (isOver(state)) return { kind: 'over', state };
      take(state);
      await paused(signal);
    }
    return undefined;
  }

  /** Takes the states that events tell. Resolves with the last one when the stream ends, or is silent; undefined if there was none. */
  async #lastEvent(signal: AbortSignal, take: (state: ReceivedState) => void): Promise<ReceivedState | undefined> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), SILENCE_MS);
    let last: ReceivedState | undefined;
    try {
      for await (const data of this.#service.events(`${this.#path}/events`, AbortSignal.any([signal, silence.signal]))) {
        timer.refresh();
        last = readState(data);
        if (last === undefined || isOver(last)) break;
        take(last);
      }
    } finally {
      clearTimeout(timer);
    }
    return last;
  }

  /** Asks until there is an answer that a later request would not change. Returns undefined if the signal is raised. */
  async #askPatiently(path: string, signal: AbortSignal): Promise<ServiceAnswer | undefined> {
    for (const until = performance.now() + PATIENCE_MS; ;) {
      const answer = await this.#service.ask({ method: 'GET', path, signal });
      if (signal.aborted) return undefined;
      if (isFinal(answer) || performance.now() > until) return answer;
      await paused(signal);
    }
  }

  async #ended({ state, status }: ReceivedState, signal: AbortSignal): Promise<StudyOutcome> {
    if (state === 'failed') return failed(`${this.#service.url} could not perform the study: ${status?.message ?? 'it tells no reason'}`);
    const answer = await this.#askPatiently(`${this.#path}/report`, graceAfter(signal));
    const stopped = state === 'cancelled' ? 'somebody stopped the study at the service' : undefined;
    if (answer === undefined) return failed(`${this.#service.url} does not answer GET ${this.#path}/report in time`);
    const report = this.#reportIn(answer);
    return 'kind' in report ? report : { kind: 'studied', report, ...(stopped !== undefined && { stopped }) };
  }

  /** Stops the study. Resolves with the report of all that is known by then. */
  async #stop(): Promise<StudyOutcome> {
    const signal = AbortSignal.timeout(GRACE_MS);
    const path = `${this.#path}/report`;
    // A study that ends by itself meanwhile is deleted with its report.
    const known = await this.#service.ask({ method: 'GET', path, signal });
    const removed = await this.#service.ask({ method: 'DELETE', path: this.#path, signal });
    const latest = await this.#service.ask({ method: 'GET', path, signal });
    const report = this.#reportIn(latest.kind === 'answered' ? latest : known);
    if ('kind' in report) return report;
    const stopped = removed.kind === 'answered' ? INTERRUPTED : `${INTERRUPTED}, and the study may go on, since ${removed.problem}`;
    return { kind: 'studied', report, stopped };
  }

  #reportIn(answer: ServiceAnswer): StudyReport | Failed {
    if (answer.kind !== 'answered') return failed(answer.problem);
    return (
      readReport(answer.text, this.#order) ?? failed(`${this.#service.url} answers GET ${this.#path}/report with no report of a study`)
    );
  }
}

const isOver = ({ state }: ReceivedState): boolean => state !== 'waiting' && state !== 'running';

/** Returns true if a later request would be answered in the same way. */
const isFinal = (answer: ServiceAnswer): boolean =>
  answer.kind === 'answered' || (answer.kind === 'refused' && answer.status < 500 && answer.status !== 429);

/** Waits before a service is asked again, or until the signal is raised. */
const paused = (signal: AbortSignal): Promise<void> => pause(RETRY_MS, undefined, { signal }).catch(() => undefined);

/** Returns the line about a study at a service. */
function stateText({ state, progress, latest }: ReceivedState): string {
  if (state === 'waiting') return 'waits behind another study: one of a key runs at a time';
  return progress === undefined ? 'runs: nothing is known of a rule yet' : progressText({ ...progress, ...(latest && { latest }) });
}
