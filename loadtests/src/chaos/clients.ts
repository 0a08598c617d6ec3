import { setTimeout } from 'node:timers/promises';
import { answeredOrAway, exchange, isRefusedConnection, PATIENCE_MS, TookTooLong } from './exchange.ts';
import type { Answer } from './exchange.ts';
import { followStudy } from './follow-study.ts';
import { DEFINITIONS, subject } from './subjects.ts';

/** One line of an answer, parsed from JSON: a verdict, or the report about one rule of a study. */
export type Line = Readonly<Record<string, unknown>>;

/** End of an evaluation as seen by its client. */
export interface Ending {
  readonly client: ClientKind;
  /** Numbers of the subjects (objects that the client sends, or rules of a study), in the order sent. */
  readonly subjects: readonly number[];
  /** Verdict lines in the order in which they were received, over all attempts to read them. */
  readonly lines: readonly Line[];
  /**
   * End of the evaluation:
   *
   * - `whole`: all verdicts arrived.
   * - `refused`: an answer with a Status refused the request, before or during the verdicts.
   * - `broken`: the connection broke, which the client noticed.
   * - `cancelled`: the client cancelled the evaluation.
   * - `hung`: nothing arrived for too long.
   * - `unreached`: the connection was refused, so there was no evaluation.
   */
  readonly end: 'whole' | 'refused' | 'broken' | 'cancelled' | 'hung' | 'unreached';
  /** HTTP status of the answer, or the code of the Status with which the lines ended. */
  readonly code?: number;
  /** The reason of a refusal. */
  readonly why?: string;
  readonly seconds: number;
}

/**
 * Behaviour of a client. `stream` and `slow reader` send NDJSON, `background` and `cancelled` send an asynchronous batch, `hanging up`
 * breaks the connection early, and `study` orders a benchmark.
 */
export type ClientKind = 'one object' | 'batch' | 'stream' | 'background' | 'cancelled' | 'hanging up' | 'slow reader' | 'study';

const DEADLINE = '45s';

/** Sends an evaluation and follows it to its end. */
export async function followEvaluation(url: string, client: ClientKind, subjects: readonly number[]): Promise<Ending> {
  const started = performance.now();
  const ending: End = (end, lines, code, why) => ({
    client,
    subjects,
    lines,
    end,
    ...(code !== undefined && { code }),
    ...(why !== undefined && { why: why.slice(0, 300) }),
    seconds: (performance.now() - started) / 1000,
  });
  try {
    if (client === 'study') return await followStudy(url, ending);
    if (client === 'background' || client === 'cancelled') return await inBackground(url, client, subjects, ending);
    const ndjson = client === 'stream' || client === 'slow reader';
    const answer = await exchange(`${url}/evaluate?deadline=${DEADLINE}`, ndjson ? streamed(subjects) : enveloped(subjects), {
      ndjson,
      slow: client === 'slow reader',
      ...(client === 'hanging up' && { hangUpAfterMs: 30 }),
    });
    return client === 'hanging up' ? ending('cancelled', []) : finish(answer, ending, subjects);
  } catch (error) {
    return ending(error instanceof TookTooLong ? 'hung' : isRefusedConnection(error) ? 'unreached' : 'broken', []);
  }
}

const enveloped = (subjects: readonly number[]): string => `{"definitions":${DEFINITIONS},"objects":[${subjects.map(subject).join(',')}]}`;
const streamed = (subjects: readonly number[]): string =>
  `{"definitions":${DEFINITIONS}}\n${subjects.map((number) => `${subject(number)}\n`).join('')}`;

/** Function that creates the ending of an evaluation or of a study. The ending records how it ended, as the client saw it. */
export type End = (end: Ending['end'], lines: readonly Line[], code?: number, why?: string) => Ending;

/** Parses the verdict lines of an answer and determines how the evaluation ended. */
function finish({ status, text, whole }: Answer, ending: End, subjects: readonly number[]): Ending {
  if (status !== 200) return ending(status === 0 ? 'broken' : 'refused', [], status, text);
  const { lines, failure } = verdictLines(text, whole);
  if (failure !== undefined) return ending('refused', lines, failure, text.slice(-300));
  return ending(whole && lines.length === subjects.length ? 'whole' : 'broken', lines);
}

function verdictLines(text: string, whole: boolean): { readonly lines: Line[]; readonly failure: number | undefined } {
  if (text.startsWith('{"id":')) return { lines: whole ? ((JSON.parse(text) as { items: Line[] }).items ?? []) : [], failure: undefined };
  const all = text.split('\n').slice(0, text.endsWith('\n') ? undefined : -1);
  const parsed = all.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
  const failure = parsed.find(({ kind }) => kind === 'Status');
  return { lines: parsed.filter(({ index }) => typeof index === 'number'), failure: failure && Number(failure['code']) };
}

/**
 * Submits an asynchronous batch and reads its results until they are complete. After each failure, continues reading after the last
 * received line.
 */
async function inBackground(url: string, client: ClientKind, subjects: readonly number[], ending: End): Promise<Ending> {
  const accepted = await exchange(`${url}/evaluate?wait=0&deadline=${DEADLINE}`, enveloped(subjects), {});
  if (accepted.status !== 202 || !accepted.whole)
    return ending(accepted.status === 0 || accepted.status === 202 ? 'broken' : 'refused', [], accepted.status, accepted.text);
  const { id } = JSON.parse(accepted.text) as { id: string };
  if (client === 'cancelled') {
    await setTimeout(40);
    const gone = await exchange(`${url}/evaluations/${id}`, undefined, { method: 'DELETE' }).catch(() => undefined);
    if (gone === undefined) return ending('broken', []);
    return ending(gone.status === 204 || gone.status === 404 ? 'cancelled' : 'refused', [], gone.status);
  }
  const lines: Line[] = [];
  // Counts only time in which the API answers. On a busy machine, a killed API may need half a minute to come back.
  for (let waitedMs = 0; waitedMs < PATIENCE_MS;) {
    const requestedAt = performance.now();
    const answer = await answeredOrAway(exchange(`${url}/evaluations/${id}/results?from=${lines.length}`, undefined, {}));
    await setTimeout(250);
    if (answer === undefined || answer.status === 0) continue;
    waitedMs += performance.now() - requestedAt;
    // Redis may have lost an accepted evaluation, which is then unknown or lost. After any other failure, the client tries again.
    if (answer.status === 404 || (answer.status === 503 && answer.text.includes('lost')))
      return ending('refused', lines, answer.status, answer.text);
    if (answer.status !== 200) continue;
    const { lines: more, failure } = verdictLines(answer.text, answer.whole);
    lines.push(...more);
    if (failure !== undefined && failure === 503 && answer.text.includes('lost'))
      return ending('refused', lines, failure, answer.text.slice(-300));
    if (lines.length >= subjects.length) return ending('whole', lines);
  }
  return ending('hung', lines);
}
