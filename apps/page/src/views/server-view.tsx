import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { grouped } from '#numbers';
import { ApiClient } from '../server/api-client.ts';
import type { EvaluationState, ServerVerdict } from '../server/api-client.ts';
import type { PageSession } from '../state/page-session.ts';
import { KeyField } from './key-field.tsx';

/** Maximum number of verdicts that the page reads of an evaluation. */
const MAX_RESULTS = 5000;
const LISTED = 200;
/** Interval at which the page requests the list of evaluations, in ms. */
const LIST_MS = 3000;
/** Maximum number of evaluations whose events are followed at the same time, because browsers open few connections to a host. */
const MAX_FOLLOWED = 3;

/**
 * Returns the view for operators of the API that served the page. The view shows the API's health, and its evaluations with their progress
 * and results.
 */
export function ServerView({ session }: { readonly session: PageSession }): JSX.Element {
  const api = useRef(new ApiClient(() => session.serverKey)).current;
  const [isThere, setThere] = useState<boolean>();
  const [health, setHealth] = useState('');
  const [evaluations, setEvaluations] = useState<readonly EvaluationState[]>([]);
  const [problem, setProblem] = useState('');
  const [id, setId] = useState('');
  const stop = useRef(new AbortController());
  const look = async (): Promise<void> => {
    setThere(await api.isThere());
    const said = await api.health();
    setHealth(said.kind === 'answered' ? said.answer : said.why);
  };
  const followed = useRef(new Set<string>()).current;
  const keep = (state: EvaluationState): void =>
    setEvaluations((before) =>
      before.some(({ id }) => id === state.id) ? before.map((one) => (one.id === state.id ? state : one)) : [state, ...before],
    );
  const follow = async (state: EvaluationState): Promise<void> => {
    keep(state);
    if (isOver(state) || followed.has(state.id) || followed.size >= MAX_FOLLOWED) return;
    followed.add(state.id);
    try {
      for await (const next of api.events(state.id, stop.current.signal)) keep(next);
    } finally {
      followed.delete(state.id);
    }
  };
  const list = async (): Promise<void> => {
    const answer = await api.list();
    if (answer.kind === 'refused' || stop.current.signal.aborted) return;
    const listed = new Set(answer.answer.map((one) => one.id));
    // The state of a followed evaluation is newer than the list.
    setEvaluations((before) => [
      ...before.filter((one) => !listed.has(one.id)),
      ...answer.answer.map((one) => (followed.has(one.id) ? (before.find((other) => other.id === one.id) ?? one) : one)),
    ]);
    for (const one of answer.answer) void follow(one);
  };
  useEffect(() => {
    void look();
    void list();
    const timer = setInterval(() => void list(), LIST_MS);
    return () => {
      clearInterval(timer);
      stop.current.abort();
    };
  }, []);
  const begin = async (): Promise<void> => {
    const { definitions, policies, objects } = session.state.texts;
    const documents = [definitions, policies, objects].filter((text) => text.trim() !== '').join('\n---\n');
    const answer = await api.begin(documents, session.state.minor);
    setProblem(answer.kind === 'refused' ? answer.why : '');
    if (answer.kind === 'answered') await follow(answer.answer);
  };
  const find = async (): Promise<void> => {
    const answer = await api.state(id.trim());
    setProblem(answer.kind === 'refused' ? answer.why : '');
    if (answer.kind === 'answered') await follow(answer.answer);
  };
  if (isThere === undefined) return <p class="muted">Looking for a server …</p>;
  if (!isThere)
    return (
      <p class="empty">
        This page came from files and has no server. It judges everything itself. <code>npm start</code> serves the page with an API. Then
        you see the evaluations of that server here.
      </p>
    );
  return (
    <>
      <h2>Health</h2>
      <pre tabIndex={0}>{health}</pre>
      <div class="row">
        <button type="button" onClick={() => void look()}>
          Refresh
        </button>
        <KeyField session={session} />
      </div>
      <h2>Evaluations</h2>
      <p class="muted">
        Your evaluations, newest first. An operator's key shows those of all clients. The page sends your documents only when you click the
        button.
      </p>
      <div class="row">
        <button type="button" onClick={() => void begin()}>
          Send my documents to the server
        </button>
        <label>
          Id <input value={id} onInput={(event) => setId(event.currentTarget.value)} />
        </label>
        <button type="button" disabled={id.trim() === ''} onClick={() => void find()}>
          Find
        </button>
      </div>
      {problem !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <ul class="reports">
        {evaluations.map((one) => (
          <OneEvaluation
            key={one.id}
            evaluation={one}
            api={api}
            onGone={() => setEvaluations((before) => before.filter((other) => other.id !== one.id))}
          />
        ))}
      </ul>
    </>
  );
}

const isOver = ({ state }: EvaluationState): boolean => state !== 'running' && state !== 'receiving';

function OneEvaluation({
  evaluation,
  api,
  onGone,
}: {
  readonly evaluation: EvaluationState;
  readonly api: ApiClient;
  readonly onGone: () => void;
}): JSX.Element {
  const [results, setResults] = useState<readonly ServerVerdict[]>();
  const { id, state, chunks, summary, traceId } = evaluation;
  const over = isOver(evaluation);
  const address = traceId === undefined ? undefined : api.traceAddress(traceId);
  const remove = async (): Promise<void> => {
    const answer = await api.remove(id);
    if (answer.kind === 'answered' && over) onGone();
  };
  const load = async (): Promise<void> => {
    const answer = await api.results(id, MAX_RESULTS);
    setResults(answer.kind === 'answered' ? answer.answer : []);
  };
  return (
    <li class="report">
      <h3>
        <code>{id}</code> <span class="outcome">{state}</span>
      </h3>
      <p class="row">
        <progress value={chunks.done} max={Math.max(chunks.total, 1)} aria-label={`Chunks of ${id}`} /> {chunks.done} of {chunks.total}{' '}
        chunks, {grouped(summary.items)} objects: {grouped(summary.accepted ?? 0)} accepted, {grouped(summary.rejected ?? 0)} refused
      </p>
      {traceId !== undefined && (
        <p class="muted">trace {address === undefined ? <code>{traceId}</code> : <a href={address}>{traceId}</a>}</p>
      )}
      <p class="row">
        <button type="button" onClick={() => void remove()}>
          {over ? 'Delete' : 'Cancel'}
        </button>
        <button type="button" disabled={!over} onClick={() => void load()}>
          Results
        </button>
      </p>
      {results && <Results results={results} />}
    </li>
  );
}

function Results({ results }: { readonly results: readonly ServerVerdict[] }): JSX.Element {
  const [outcome, setOutcome] = useState('');
  const [words, setWords] = useState('');
  const outcomes = [...new Set(results.map((one) => one.outcome))];
  const says = ({ status }: ServerVerdict): string => status?.message ?? '';
  const found = results.filter((one) => (outcome === '' || one.outcome === outcome) && (words === '' || says(one).includes(words)));
  return (
    <>
      <div class="row">
        <label>
          Outcome{' '}
          <select value={outcome} onChange={(event) => setOutcome(event.currentTarget.value)}>
            <option value="">all</option>
            {outcomes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label>
          Field or rule <input value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <span role="status" class="muted">
          {grouped(found.length)} of {grouped(results.length)}
        </span>
      </div>
      <ol class="reports">
        {found.slice(0, LISTED).map((one) => (
          <li key={one.index} class={`report ${one.outcome}`}>
            {one.kind ?? 'Object'} {one.name ?? one.index} <span class="outcome">{one.outcome}</span>
            {says(one) !== '' && <pre class="server">{says(one)}</pre>}
          </li>
        ))}
      </ol>
    </>
  );
}
