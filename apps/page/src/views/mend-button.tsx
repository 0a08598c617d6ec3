import type { JSX } from 'preact';
import { grouped } from '#numbers';
import type { MendAnswer } from '../judge/judge-client.ts';
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
          {bounds.length === 0 ? 'Add the limits that it needs' : addWords(bounds.length)}
        </button>
      )}
      {bounds.length > 0 && (
        <ul aria-label="The limits that it needs">
          {bounds.map((text) => (
            <li key={text}>
              <code>{text}</code>
            </li>
          ))}
        </ul>
      )}
      <span role="status" class="muted">
        {isWaiting && 'computing the limits …'}
        {why !== undefined && `The limits were not computed: ${why}.`}
        {mending && bounds.length === 0 && mendedText(mending)}
      </span>
    </div>
  );
}

const NUMBERS = [
  'no',
  'this',
  'these two',
  'these three',
  'these four',
  'these five',
  'these six',
  'these seven',
  'these eight',
  'these nine',
];

/** Returns the words of the button that adds some limits, such as `Add these three limits`. */
const addWords = (count: number): string => `Add ${NUMBERS[count] ?? `these ${grouped(count)}`} ${count === 1 ? 'limit' : 'limits'}`;

const boundTexts = ({ bounds }: MendAnswer): readonly string[] => [
  ...new Set(bounds.map(({ path, keyword, suggested }) => `${keyword}: ${suggested} at ${path || 'the root'}`)),
];

function mendedText(answer: MendAnswer): string {
  const set = boundTexts(answer);
  return [
    set.length > 0 ? `Added ${set.join(', ')}.` : 'No limit helps.',
    ...answer.notMended.map((why) => `A definition stays as it is: ${why}.`),
  ].join(' ');
}
