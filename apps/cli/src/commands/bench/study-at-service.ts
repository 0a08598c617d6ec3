import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { StudyReport } from '#benchmark';
import { studyBody, STUDY_PHASES } from '#service';
import type { StudyOrder } from '#service';
import { readStudyReport } from '#report';
import type { AssayService, ServiceAnswer } from '../../service/assay-service.ts';
import { UsageError } from '../../usage.ts';
import { studyProgressText, INTERRUPTED } from './study-outcome.ts';
import type { StudyOutcome, StudyWatch } from './study-outcome.ts';

/** Time in ms after the user ended a study, within which requests may still stop the study at the service. */
const GRACE_MS = 10_000;
/** Longest time in ms for which requests to an unreachable service are repeated, for example while the service restarts. */
const PATIENCE_MS = 60_000;
/** Pause in ms before a request to the service is repeated. */
const RETRY_MS = 1000;
/** Time in ms without events after which an event stream is considered dead, and the state of the study is requested instead. */
const STALLED_MS = 30_000;
/** Shortest interval between two progress lines, in ms. */
const TELL_MS = 200;

type Failed = Extract<StudyOutcome, { readonly kind: 'failed' }>;
const failed = (problem: string): Failed => ({ kind: 'failed', problem });

/**
 * Sends a study to a service, which performs it, and follows the progress. If the user ends the study, the service stops the study too.
 */
export async function studyAtService(service: AssayService, order: StudyOrder, { signal, report }: StudyWatch): Promise<StudyOutcome> {
  const sent = studyBody(order);
  if (!sent.ok) throw new UsageError(sent.problem);
  const body = Buffer.from(sent.body);
  const answer = await service.ask({ method: 'POST', path: '/benchmarks', body, signal: graceAfter(signal) });
  if (answer.kind !== 'answered') return failed(answer.problem);
  const state = readState(answer.text);
  if (state === undefined) return failed(`${service.url} answers POST /benchmarks with no state of a study`);
  return new ServiceStudy(service, order, state.id).follow({ signal, report });
}

/**
 * Returns a signal that is aborted `GRACE_MS` after `signal` is aborted. The time is needed to stop a study that the service may already
 * have started.
 */
function graceAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const begin = (): void => void setTimeout(() => late.abort(), GRACE_MS).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
}

/** Study that a service performs, with the requests to follow and stop it. */
class ServiceStudy {
  readonly #service: AssayService;
  readonly #order: StudyOrder;
  readonly #path: string;

  constructor(service: AssayService, order: StudyOrder, id: string) {
    this.#service = service;
    this.#order = order;
    this.#path = `/benchmarks/${encodeURIComponent(id)}`;
  }

  /**
   * Follows the study to its end and resolves with its report. If the signal is aborted, stops the study and resolves with a report of the
   * findings so far.
   */
  async follow({ signal, report }: StudyWatch): Promise<StudyOutcome> {
    let latest: ReceivedState | undefined;
    const line = (state: ReceivedState) => () => {
      latest = undefined;
      return stateText(state);
    };
    const reporting = setInterval(() => latest && report(line(latest)), TELL_MS);
    try {
      const end = await this.#end(signal, (state) => (latest = state));
      if (end === undefined) return await this.#stop();
      return end.kind === 'failed' ? end : await this.#ended(end.state, signal);
    } finally {
      clearInterval(reporting);
    }
  }

  /**
   * Resolves with the state in which the study ended, or with the reason why the state is unknown. Resolves to undefined if the signal is
   * aborted first.
   */
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

  /**
   * Passes the states from the event stream to `take`. Resolves with the last state when the stream ends or becomes silent; undefined if
   * the stream sent no state.
   */
  async #lastEvent(signal: AbortSignal, take: (state: ReceivedState) => void): Promise<ReceivedState | undefined> {
    const stalled = new AbortController();
    const timer = setTimeout(() => stalled.abort(), STALLED_MS);
    let last: ReceivedState | undefined;
    try {
      for await (const data of this.#service.events(`${this.#path}/events`, AbortSignal.any([signal, stalled.signal]))) {
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

  /** Repeats a GET request until the answer is final, or until `PATIENCE_MS` have passed. Returns undefined if the signal is aborted. */
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

  /** Stops the study at the service. Resolves with a report of the findings so far. */
  async #stop(): Promise<StudyOutcome> {
    const signal = AbortSignal.timeout(GRACE_MS);
    const path = `${this.#path}/report`;
    // DELETE also deletes the report of a study that has just ended, so this code requests the report before. The report after DELETE has
    // the latest findings of a running study.
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

/** Returns true if repeating the request would give the same answer. */
const isFinal = (answer: ServiceAnswer): boolean =>
  answer.kind === 'answered' || (answer.kind === 'refused' && answer.status < 500 && answer.status !== 429);

/** Waits `RETRY_MS` before a request is repeated. Resolves early if the signal is aborted. */
const paused = (signal: AbortSignal): Promise<void> => pause(RETRY_MS, undefined, { signal }).catch(() => undefined);

/** Returns the progress line of a study at a service. */
function stateText({ state, progress, latest }: ReceivedState): string {
  if (state === 'waiting') return 'waits behind another study: one of a key runs at a time';
  return progress === undefined ? 'runs: nothing is known of a rule yet' : studyProgressText({ ...progress, ...(latest && { latest }) });
}

/** Schema of the state of a study, as a service returns it. */
const studyState = z.object({
  id: z.string(),
  state: z.enum(STUDY_PHASES),
  progress: z
    .object({ phase: z.enum(['costs', 'times', 'comparison']), known: z.number(), rules: z.number(), leftMs: z.number() })
    .optional(),
  latest: z
    .object({
      version: z.string(),
      path: z.string(),
      growsWith: z.string().optional(),
      costExponent: z.number().optional(),
      cost: z.number().optional(),
    })
    .optional(),
  status: z.object({ message: z.string() }).optional(),
});

/** State of a study, as a response of the Assay service describes it. */
type ReceivedState = z.infer<typeof studyState>;

/** Parses the state of a study. Returns undefined if the text is not a valid state. */
const readState = (text: string): ReceivedState | undefined => studyState.safeParse(jsonIn(text)).data;

/**
 * Parses the report of a study that a service performed. The service names each definition by its index in the request body. This function
 * replaces each index with the `source` (file and document number) of the definition in the request. Returns undefined if the text is not a
 * valid report.
 */
function readReport(text: string, { definitions }: StudyOrder): StudyReport | undefined {
  const report = readStudyReport(jsonIn(text));
  if (report === undefined) return undefined;
  // A service names a definition by its position in the body. The report of the command names the file instead.
  const sources = new Map(definitions.map(({ source }, i) => [`definitions[${i}]`, source]));
  const sourced = <Placed extends { readonly source: string }>(one: Placed): Placed => ({
    ...one,
    source: sources.get(one.source) ?? one.source,
  });
  return { ...report, definitions: report.definitions.map(sourced), rules: report.rules.map(sourced) };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
