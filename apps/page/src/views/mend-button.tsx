import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { MendAnswer } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';

/** Time in ms between an edit and the computation of the bounds for the new text. */
const QUIET_MS = 300;

/** Bounds that make a server accept the definitions, or the state of their computation: running, or failed with a reason. */
type Mending =
  { readonly kind: 'computing' } | { readonly kind: 'failed'; readonly why: string } | (MendAnswer & { readonly kind: 'known' });

const COMPUTING: Mending = { kind: 'computing' };

/**
 * Shows a list of the bounds with which a server accepts the definitions, and a button that sets all of them. The user can undo the change.
 */
export function MendButton({ session }: { readonly session: PageSession }): JSX.Element {
  const mending = useMending(session);
  const bounds = mending.kind === 'known' ? boundTexts(mending) : [];
  return (
    <div class="mend">
      {(mending.kind === 'computing' || bounds.length > 0) && (
        <button
          type="button"
          class="primary"
          disabled={mending.kind !== 'known'}
          onClick={() => mending.kind === 'known' && session.replace(mendedText(mending), { definitions: mending.text })}
        >
          Set all the bounds it needs (maxItems, maxLength)
        </button>
      )}
      {bounds.length > 0 && (
        <ul aria-label="The bounds it needs">
          {bounds.map((text) => (
            <li key={text}>
              <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      <span role="status" class="muted">
        {mending.kind === 'computing' && 'computing the bounds …'}
        {mending.kind === 'failed' && `The bounds were not computed: ${mending.why}.`}
        {mending.kind === 'known' && bounds.length === 0 && mendedText(mending)}
      </span>
    </div>
  );
}

/** Returns the bounds for the present texts, or the state of their computation. The computation starts 300 ms after each edit. */
function useMending(session: PageSession): Mending {
  const [mending, setMending] = useState(COMPUTING);
  const { texts, minor } = session.state;
  useEffect(() => {
    setMending(COMPUTING);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void session.besides.ask({ kind: 'mend', texts, minor }, { signal: stop.signal }).then((outcome) => {
        if (stop.signal.aborted) return;
        if (outcome.kind === 'answered') setMending({ kind: 'known', ...outcome.answer });
        else setMending({ kind: 'failed', why: outcome.kind === 'ended' ? outcome.why : 'the computation was stopped' });
      });
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [texts.definitions, minor]);
  return mending;
}

const boundTexts = ({ bounds }: MendAnswer): readonly string[] => [
  ...new Set(bounds.map(({ path, keyword, suggested }) => `${keyword}: ${suggested} at ${path || 'the root'}`)),
];

function mendedText(answer: MendAnswer): string {
  const set = boundTexts(answer);
  return [
    set.length > 0 ? `Set ${set.join(', ')}.` : 'No bound was set.',
    ...answer.notMended.map((why) => `A definition stays as it is: ${why}.`),
  ].join(' ');
}
