import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { ApiClient } from '../server/api-client.ts';
import type { EvaluationState, ServerVerdict } from '../server/api-client.ts';
import type { PageSession } from '../state/page-session.ts';
import { countText } from './count-text.ts';

/** Verdicts that are read of an evaluation. */
const MOST_RESULTS = 5000;
const LISTED = 200;

/** The operator's view of the API that served the page: its health, evaluations with their progress, what came of them. */
export function ServerView({ session }: { readonly session: PageSession }): JSX.Element {
  const api = useRef(new ApiClient()).current;
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
  useEffect(() => {
    void look();
    return () => stop.current.abort();
  }, []);
  const keep = (state: EvaluationState): void => setEvaluations((before) => [state, ...before.filter((one) => one.id !== state.id)]);
  const follow = async (state: EvaluationState): Promise<void> => {
    keep(state);
    for await (const next of api.events(state.id, stop.current.signal)) keep(next);
  };
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
      <p>
        This page came from files: there is no server behind it, and everything is judged here. <code>npm start</code> serves it with an
        API.
      </p>
    );
  return (
    <>
      <h2>Health</h2>
      <pre tabIndex={0}>{health}</pre>
      <div class="row">
        <button type="button" onClick={() => void look()}>
          Look again
        </button>
        <label>
          Access key <input type="password" autocomplete="off" onInput={(event) => (api.key = event.currentTarget.value)} />
        </label>
      </div>
      <h2>Evaluations</h2>
      <p class="muted">
        Those begun here, and those whose id you know. The documents on the left are sent to the server only when you say so.
      </p>
      <div class="row">
        <button type="button" onClick={() => void begin()}>
          Send what is written to the server
        </button>
        <label>
          Id <input value={id} onInput={(event) => setId(event.currentTarget.value)} />
        </label>
        <button type="button" disabled={id.trim() === ''} onClick={() => void find()}>
          Find it
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
  const isOver = state !== 'running' && state !== 'receiving';
  const remove = async (): Promise<void> => {
    const answer = await api.remove(id);
    if (answer.kind === 'answered' && isOver) onGone();
  };
  const load = async (): Promise<void> => {
    const answer = await api.results(id, MOST_RESULTS);
    setResults(answer.kind === 'answered' ? answer.answer : []);
  };
  return (
    <li class="report">
      <h3>
        <code>{id}</code> <span class="outcome">{state}</span>
      </h3>
      <p class="row">
        <progress value={chunks.done} max={Math.max(chunks.total, 1)} aria-label={`Chunks of ${id}`} /> {chunks.done} of {chunks.total}{' '}
        chunks, {countText(summary.items)} objects: {countText(summary.accepted ?? 0)} accepted, {countText(summary.rejected ?? 0)} refused
      </p>
      {traceId !== undefined && (
        <p class="muted">
          trace <code>{traceId}</code>
        </p>
      )}
      <p class="row">
        <button type="button" onClick={() => void remove()}>
          {isOver ? 'Forget it' : 'Cancel'}
        </button>
        <button type="button" disabled={!isOver} onClick={() => void load()}>
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
          {countText(found.length)} of {countText(results.length)}
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
