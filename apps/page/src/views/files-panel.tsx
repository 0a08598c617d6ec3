import type { JSX } from 'preact';
import { grouped, spentText } from '#numbers';
import type { PageSession } from '../state/page-session.ts';

/** Shows the files that are too large for editors, with the progress and the result of their evaluation. */
export function FilesPanel({ session }: { readonly session: PageSession }): JSX.Element {
  const { files } = session;
  if (files === undefined) return <></>;
  const { state, result, why, done, of } = files;
  const names = files.files.map(({ name, size }) => `${name} (${(size / 1e6).toFixed(1)} MB)`).join(', ');
  return (
    <section class="files" aria-label="Large files">
      <h2>{names}</h2>
      <p class="muted">Too large for an editor. The page judges it in slices, by its own definitions and yours on the left.</p>
      {state === 'judging' && (
        <p class="row" role="status">
          {of === undefined || of === 0 ? 'reading …' : <progress value={done} max={of} aria-label="Objects judged" />}
          {of !== undefined && of > 0 && `${grouped(done ?? 0)} of ${grouped(of)}`}
          <button type="button" onClick={() => session.ofFiles.end('you stopped it')}>
            Stop
          </button>
        </p>
      )}
      {state === 'ended' && <p class="bad">Not judged: {why}.</p>}
      {result && (
        <>
          <p role="status">
            {grouped(result.counts.accepted)} accepted, {grouped(result.counts.rejected)} refused, {grouped(result.counts.notEvaluated)} not
            judged, {spentText(result.spentMs)}
          </p>
          <ol class="reports">
            {result.definitions
              .filter(({ accepted }) => !accepted)
              .map(({ name, message }) => (
                <li key={name} class="report rejected">
                  <h3>{name}</h3>
                  <pre class="server">{message}</pre>
                </li>
              ))}
            {result.refused.map(({ file, index, title, message }) => (
              <li key={`${file} ${index}`} class="report rejected">
                <h3>
                  {title} <span class="outcome">{`${file}, object ${index}`}</span>
                </h3>
                <pre class="server">{message}</pre>
              </li>
            ))}
          </ol>
        </>
      )}
      <button type="button" onClick={() => void session.judgeFiles([])}>
        Close
      </button>
    </section>
  );
}
