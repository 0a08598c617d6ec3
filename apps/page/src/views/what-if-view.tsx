import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ObjectEffect } from '#evaluation';
import type { WhatIfAnswer } from '../judge/judge-messages.ts';
import type { PageSession } from '../state/page-session.ts';
import { countText } from './count-text.ts';
import { EFFECT_WORDS } from './effect-words.ts';
import { JudgeButton } from './judge-button.tsx';

const LISTED = 200;

/** Shows the effects of a changed definition on the objects: broken, saved by ratcheting, or repaired. */
export function WhatIfView({ session }: { readonly session: PageSession }): JSX.Element {
  const [answer, setAnswer] = useState<WhatIfAnswer>();
  const { texts, minor } = session.state;
  const isEmpty = texts.changed.trim() === '';
  return (
    <>
      <p>
        Write the definition as it is to become in <em>Changed definitions</em>; the objects below are taken as stored ones.
      </p>
      <p class="row">
        <button
          type="button"
          onClick={() => {
            session.setTexts({ changed: texts.definitions });
            session.goTo({ pane: 'changed', line: 1, column: 1 });
          }}
        >
          Begin with a copy of the definitions
        </button>
        <JudgeButton
          words="What if it changes?"
          session={session}
          disabled={isEmpty}
          atOnce
          ask={{ kind: 'what-if', texts, minor }}
          onAnswer={setAnswer}
        />
      </p>
      {answer?.unpaired.map((name) => (
        <p key={name} class="muted">
          {name} is on one side only, and says nothing about a change.
        </p>
      ))}
      {answer?.changes.map((change) => (
        <Change key={change.definition.name} change={change} />
      ))}
    </>
  );
}

function Change({ change: { definition, counts, objects } }: { readonly change: WhatIfAnswer['changes'][number] }): JSX.Element {
  const order = Object.keys(EFFECT_WORDS) as ObjectEffect['effect'][];
  const listed = objects
    .filter(({ effect }) => effect !== 'unaffected')
    .toSorted((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect));
  return (
    <section>
      <h2>
        The change of {definition.name} is {definition.accepted ? 'admitted' : 'refused'}
      </h2>
      {definition.status && <pre class="server">{definition.status.message}</pre>}
      {definition.accepted && (
        <ul class="counts">
          {order.map(
            (effect) =>
              (counts[effect] ?? 0) > 0 && (
                <li key={effect} class={effect}>
                  <strong>{countText(counts[effect] ?? 0)}</strong> {EFFECT_WORDS[effect]}
                </li>
              ),
          )}
        </ul>
      )}
      <ol class="reports">
        {listed.slice(0, LISTED).map((object) => (
          <li key={object.index} class={`report ${object.effect}`}>
            <h3>
              {object.name ?? `object ${object.index + 1}`} <span class="outcome">{EFFECT_WORDS[object.effect]}</span>
            </h3>
            {object.nextChange && (
              <p>
                such as{' '}
                <code>{`${object.nextChange.path}: ${object.nextChange.before ?? '(nothing)'} → ${object.nextChange.after ?? '(nothing)'}`}</code>
              </p>
            )}
            {object.frozen?.map((path) => (
              <p key={path}>
                <code>{path}</code> is frozen from now on: no update may change it.
              </p>
            ))}
            {object.message !== undefined && <pre class="server">{object.message}</pre>}
            {object.changes.map((one) => (
              <p key={one.path}>
                <code>{`${one.path}: ${one.before ?? '(nothing)'} → ${one.after ?? '(nothing)'}`}</code>
              </p>
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
