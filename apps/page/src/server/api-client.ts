import { traceAddress } from '#report';
import { z } from 'zod';

const tally = z.looseObject({ items: z.number(), accepted: z.number().optional(), rejected: z.number().optional() });
const evaluationState = z.looseObject({
  id: z.string(),
  state: z.string(),
  createdAt: z.string(),
  chunks: z.object({ done: z.number(), total: z.number() }),
  summary: tally,
  traceId: z.string().optional(),
});
const studyState = z.looseObject({
  id: z.string(),
  state: z.enum(['waiting', 'running', 'complete', 'cancelled', 'failed']),
  progress: z.looseObject({ phase: z.enum(['costs', 'times', 'comparison']) }).optional(),
  status: z.looseObject({ message: z.string() }).optional(),
});
const endedStudy = studyState.extend({
  createdAt: z.string(),
  definitions: z
    .array(
      z.looseObject({
        definition: z.string(),
        limitShare: z.number().optional(),
        costliest: z.object({ version: z.string(), path: z.string(), cost: z.number() }).optional(),
      }),
    )
    .default([]),
});
const verdict = z.looseObject({
  index: z.number(),
  kind: z.string().optional(),
  name: z.string().optional(),
  outcome: z.string(),
  status: z
    .looseObject({
      message: z.string(),
      details: z
        .looseObject({ causes: z.array(z.looseObject({ field: z.string().optional(), message: z.string().optional() })).optional() })
        .optional(),
    })
    .optional(),
});
const directory = z.looseObject({ name: z.literal('assay'), traces: z.url({ protocol: /^https?$/ }).optional() });
const statusMessage = z.looseObject({ message: z.string() });

/** State of an evaluation, as the API returns it. */
export type EvaluationState = z.infer<typeof evaluationState>;
/** State of a study, as the API returns it. */
export type StudyState = z.infer<typeof studyState>;
/** Ended study in a list, with the figures of its definitions. */
export type EndedStudy = z.infer<typeof endedStudy>;
/** One verdict of an evaluation. */
export type ServerVerdict = z.infer<typeof verdict>;

/** Result of an API request. `refused` contains the API's message, or the reason why there is no answer. */
export type ApiOutcome<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly why: string };

/** Client of the API from which this page was loaded. */
export class ApiClient {
  readonly #key: () => string;
  #traces: string | undefined;

  /** @param key Returns the access key; empty if the user entered none. */
  constructor(key: () => string) {
    this.#key = key;
  }

  /** Returns true if the page's host is an API. A page on a static file host has no API. */
  async isThere(): Promise<boolean> {
    const answer = await this.#ask('/', { headers: { accept: 'application/json' } });
    const said = answer.kind === 'answered' ? directory.safeParse(await jsonOf(answer.answer)) : undefined;
    this.#traces = said?.data?.traces;
    return said?.success === true;
  }

  /** Returns the address at which a trace can be viewed; undefined if the API provides no such address. */
  traceAddress(id: string): string | undefined {
    return this.#traces === undefined ? undefined : traceAddress(this.#traces, id);
  }

  /** Returns the API's health report, with one line for each check. */
  async health(): Promise<ApiOutcome<string>> {
    const answer = await this.#ask('/readyz?verbose', {}, [200, 503]);
    return answer.kind === 'answered' ? { kind: 'answered', answer: await answer.answer.text() } : answer;
  }

  /** Starts an asynchronous evaluation of YAML documents. It continues even if the page is closed. */
  async begin(documents: string, minor: string): Promise<ApiOutcome<EvaluationState>> {
    const headers = { 'content-type': 'application/yaml' };
    return this.#read(`/evaluate?wait=0&kubernetesVersion=${minor}`, evaluationState, { method: 'POST', headers, body: documents });
  }

  /** Returns the evaluations that this client may see, newest first. */
  async list(): Promise<ApiOutcome<readonly EvaluationState[]>> {
    const answer = await this.#read('/evaluations', z.looseObject({ evaluations: z.array(evaluationState) }));
    return answer.kind === 'answered' ? { kind: 'answered', answer: answer.answer.evaluations } : answer;
  }

  /** Returns the state of an evaluation. */
  state(id: string): Promise<ApiOutcome<EvaluationState>> {
    return this.#read(`/evaluations/${encodeURIComponent(id)}`, evaluationState);
  }

  /** Stops a running evaluation, or deletes the results of a finished evaluation. */
  async remove(id: string): Promise<ApiOutcome<undefined>> {
    const answer = await this.#ask(`/evaluations/${encodeURIComponent(id)}`, { method: 'DELETE' });
    return answer.kind === 'answered' ? { kind: 'answered', answer: undefined } : answer;
  }

  /** Returns the first verdicts of an evaluation, at most `limit` verdicts. */
  async results(id: string, limit: number): Promise<ApiOutcome<readonly ServerVerdict[]>> {
    const answer = await this.#ask(`/evaluations/${encodeURIComponent(id)}/results?limit=${limit}`);
    if (answer.kind === 'refused') return answer;
    const lines = (await answer.answer.text()).split('\n').filter((line) => line !== '');
    return { kind: 'answered', answer: lines.flatMap((line) => verdict.safeParse(JSON.parse(line)).data ?? []) };
  }

  /** Yields the states of an evaluation as they change (server-sent events), until the evaluation is over or `signal` is aborted. */
  events(id: string, signal: AbortSignal): AsyncGenerator<EvaluationState> {
    return this.#events(`/evaluations/${encodeURIComponent(id)}/events`, evaluationState, signal);
  }

  /** Orders a study by sending `body` as JSON to `POST /benchmarks`. The study goes on if the page is closed. */
  async orderStudy(body: string): Promise<ApiOutcome<StudyState>> {
    return this.#read('/benchmarks', studyState, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }

  /** Returns ended studies of a definition that this client may see, newest first, at most `limit` of them. */
  async endedStudies(definition: string, limit: number): Promise<ApiOutcome<readonly EndedStudy[]>> {
    const answer = await this.#read(
      `/benchmarks?limit=${limit}&definition=${encodeURIComponent(definition)}`,
      z.looseObject({ benchmarks: z.array(endedStudy) }),
    );
    return answer.kind === 'answered' ? { kind: 'answered', answer: answer.answer.benchmarks } : answer;
  }

  /** Yields the states of a study as they change, until the study is over or `signal` is aborted. */
  studyEvents(id: string, signal: AbortSignal): AsyncGenerator<StudyState> {
    return this.#events(`/benchmarks/${encodeURIComponent(id)}/events`, studyState, signal);
  }

  /** Returns the report of a study as parsed JSON. The report of a running study contains the findings so far. */
  async studyReport(id: string): Promise<ApiOutcome<unknown>> {
    return this.#read(`/benchmarks/${encodeURIComponent(id)}/report`, z.unknown());
  }

  /** Stops a study. The service keeps the findings so far. */
  async stopStudy(id: string): Promise<void> {
    await this.#ask(`/benchmarks/${encodeURIComponent(id)}`, { method: 'DELETE' });
  }

  async *#events<State>(path: string, schema: z.ZodType<State>, signal: AbortSignal): AsyncGenerator<State> {
    const answer = await this.#ask(path, { signal });
    if (answer.kind === 'refused' || answer.answer.body === null) return;
    let rest = '';
    try {
      for await (const block of answer.answer.body.pipeThrough(new TextDecoderStream())) {
        const events = (rest + block).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1];
          const state = data === undefined ? undefined : schema.safeParse(JSON.parse(data)).data;
          if (state) yield state;
        }
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #read<Answer>(path: string, schema: z.ZodType<Answer>, init?: RequestInit): Promise<ApiOutcome<Answer>> {
    const answer = await this.#ask(path, init);
    if (answer.kind === 'refused') return answer;
    const result = schema.safeParse(await jsonOf(answer.answer));
    return result.success ? { kind: 'answered', answer: result.data } : { kind: 'refused', why: 'the server answers something else' };
  }

  async #ask(path: string, { headers, ...init }: RequestInit = {}, fine: readonly number[] = []): Promise<ApiOutcome<Response>> {
    try {
      const key = this.#key();
      const authorization = key === '' ? undefined : { authorization: `Bearer ${key}` };
      // The path is relative to the page, so it also works behind a proxy.
      const answer = await fetch(`.${path}`, { ...init, headers: { ...(headers as Record<string, string>), ...authorization } });
      if (answer.ok || fine.includes(answer.status)) return { kind: 'answered', answer };
      const said = statusMessage.safeParse(await jsonOf(answer)).data?.message;
      return { kind: 'refused', why: said ?? `the server answers ${answer.status}` };
    } catch {
      return { kind: 'refused', why: 'the server cannot be reached' };
    }
  }
}

async function jsonOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch {
    return undefined;
  }
}
