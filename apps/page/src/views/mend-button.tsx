import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { MendAnswer } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { JudgeButton } from './judge-button.tsx';

/** Shows a button that sets the bounds with which a server accepts the definitions. The user can undo the change. */
export function MendButton({ session }: { readonly session: PageSession }): JSX.Element {
  const [why, setWhy] = useState('');
  const { texts, minor } = session.state;
  const take = (answer: MendAnswer): void => {
    // What was written meanwhile stays.
    if (session.state.texts.definitions !== texts.definitions) return setWhy('You changed the definitions meanwhile. Ask again.');
    if (answer.bounds.length === 0) return setWhy(mendedText(answer));
    session.replace(mendedText(answer), { definitions: answer.text });
  };
  return (
    <div class="mend">
      <JudgeButton
        words="Set all the bounds it needs (maxItems, maxLength)"
        session={session}
        isPrimary
        ask={{ kind: 'mend', texts, minor }}
        onAnswer={take}
      />
      {why !== '' && <p role="status">{why}</p>}
    </div>
  );
}

function mendedText({ bounds, notMended }: MendAnswer): string {
  const set = new Set(bounds.map(({ path, keyword, suggested }) => `${keyword}: ${suggested} at ${path || 'the root'}`));
  return [
    set.size > 0 ? `Set ${[...set].join(', ')}.` : 'No bound was set.',
    ...notMended.map((why) => `A definition stays as it is: ${why}.`),
  ].join(' ');
}
