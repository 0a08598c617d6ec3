import type { JSX } from 'preact';
import type { MendAnswer } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { useAnswer } from './use-answer.ts';

/** Time in ms between an edit and the computation of the bounds for the new text. */
const QUIET_MS = 300;

/**
 * Shows the size bounds, such as `maxItems`, with which a server would accept the definitions, and a button that adds all of them. The user
 * can undo the change.
 */
export function MendButton({ session }: { readonly session: PageSession }): JSX.Element {
  const { texts, minor } = session.state;
  const { last, isWaiting, why } = useAnswer(
    session,
    { kind: 'mend', texts, minor },
    { after: [texts.definitions, minor], pauseMs: QUIET_MS },
  );
  const mending = isWaiting ? undefined : last?.answer;
  const bounds = mending ? boundTexts(mending) : [];
  return (
    <div class="mend">
      {(isWaiting || bounds.length > 0) && (
        <button
          type="button"
          class="primary"
          disabled={mending === undefined}
          onClick={() => mending && session.replace(mendedText(mending), { definitions: mending.text })}
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
        {isWaiting && 'computing the bounds …'}
        {why !== undefined && `The bounds were not computed: ${why}.`}
        {mending && bounds.length === 0 && mendedText(mending)}
      </span>
    </div>
  );
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
