import type { JSX } from 'preact';
import type { ObjectEffect } from '#documents';
import { grouped } from '#numbers';
import type { WhatIfAnswer } from '../judge/judge-client.ts';
import type { PageSession } from '../state/page-session.ts';
import { AnswerStatus } from './answer-status.tsx';
import { useAnswer } from './use-answer.ts';

const LISTED = 200;

/** Shows the effects of a changed definition on the objects, for example that an object breaks or that ratcheting saves it. */
export function WhatIfView({ session }: { readonly session: PageSession }): JSX.Element {
  const { texts, minor } = session.state;
  const isChanged = texts.changed.trim() !== '';
  const request = useAnswer(session, isChanged ? ({ kind: 'what-if', texts, minor } as const) : undefined, {
    after: [texts, minor],
    pauseMs: 300,
  });
  const answer = request.last?.answer;
  if (!isChanged) return <NothingChanged session={session} />;
  const isSame = texts.changed === texts.definitions;
  return (
    <>
      <p class="muted">
        What happens to your objects if the definition becomes the one in <em>Changed definitions</em>.
      </p>
      <p class="row">
        <AnswerStatus words="Recalculate" session={session} request={request} />
      </p>
      {isSame && (
        <p class="empty">
          The changed definition is still the same as the present one. Edit it in <em>Changed definitions</em>: the effects appear here.
        </p>
      )}
      {!isSame &&
        answer?.unpaired.map((name) => (
          <p key={name} class="muted">
            {name} is only on one side, so there is nothing to compare.
          </p>
        ))}
      {!isSame && answer?.changes.map((change) => <Change key={change.definition.name} change={change} />)}
    </>
  );
}

/** Explains the view if there is no changed definition yet, and offers to create one. */
function NothingChanged({ session }: { readonly session: PageSession }): JSX.Element {
  const { definitions } = session.state.texts;
  return (
    <div class="empty">
      <h2>Will a new version of your definition break stored objects?</h2>
      <ol>
        <li>Copy your definition.</li>
        <li>
          Edit the copy in <em>Changed definitions</em>.
        </li>
        <li>See here, as you type, which of your objects break and which stay valid.</li>
      </ol>
      <button
        type="button"
        class="primary"
        disabled={definitions.trim() === ''}
        onClick={() => {
          session.setTexts({ changed: definitions });
          session.goTo({ pane: 'changed', line: 1, column: 1 });
        }}
      >
        Copy the definition
      </button>
    </div>
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
        {definition.accepted ? '✓' : '✗'} Kubernetes {definition.accepted ? 'accepts' : 'refuses'} the change of {definition.name}
      </h2>
      {definition.status && <pre class="server">{definition.status.message}</pre>}
      {definition.accepted && (
        <ul class="counts">
          {order.map(
            (effect) =>
              (counts[effect] ?? 0) > 0 && (
                <li key={effect} class={effect}>
                  <strong>{grouped(counts[effect] ?? 0)} ×</strong> {EFFECT_WORDS[effect]}
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
            {object.refused !== undefined && <p>{object.refused.replace(/^./, (letter) => letter.toUpperCase())}.</p>}
            {object.nextChange && (
              <p>
                such as{' '}
                <code>{`${object.nextChange.path}: ${object.nextChange.before ?? '(nothing)'} → ${object.nextChange.after ?? '(nothing)'}`}</code>
              </p>
            )}
            {object.frozen?.map((path) => (
              <p key={path}>
                <code>{path}</code> can never change again: every update of it is refused.
              </p>
            ))}
            {object.message !== undefined && object.write === 'create' && (
              <p class="muted">The server would answer a new object like this:</p>
            )}
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

/** Effects of a change on stored objects, most harmful first, in words. */
const EFFECT_WORDS: Readonly<Record<ObjectEffect['effect'], string>> = {
  brokenOnUpdate: 'broken: writes are refused even without a change',
  breaksOnNextChange: 'breaks on its next change',
  notJudged: 'not judged',
  savedByRatcheting: 'still valid by ratcheting, as long as the invalid value stays',
  storedDifferently: 'stored differently',
  invalidBefore: 'invalid before and after',
  mended: 'now valid: only the old definition refuses it',
  unaffected: 'unaffected',
};
