import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { MINORS } from '#kube';
import type { VersionMatrix } from '#service';
import type { PageSession } from '../state/page-session.ts';
import { minorColumns } from './minor-changes.ts';

/** Longer texts are compared when that is asked for, in characters: all minors judge eight times as much. */
const MOST_AT_ONCE = 400_000;
/** After the verdict so long is waited, ms. */
const PAUSE_MS = 500;

/** All minors in a row: which of them refuse something, and where verdict, text or cost change. A click chooses one. */
export function VersionStrip({ session }: { readonly session: PageSession }): JSX.Element {
  const matrix = useMatrix(session);
  const { minor: chosen } = session.state;
  const columns = matrix && minorColumns(matrix);
  return (
    <nav class="strip" aria-label="Kubernetes minors">
      <span class="label muted" aria-hidden="true">
        Kubernetes
      </span>
      {MINORS.map((minor, i) => {
        const column = columns?.[i];
        const differs = column?.differences ?? [];
        const words =
          column === undefined
            ? ''
            : `${column.refuses ? ': refuses something' : ': accepts all'}${differs.length === 0 ? '' : `; other ${differs.join(', ')} than ${MINORS[i - 1]}`}`;
        return (
          <button
            key={minor}
            type="button"
            aria-current={minor === chosen ? 'true' : undefined}
            title={`Kubernetes ${minor}${words}`}
            class={differs.length > 0 ? 'differs' : ''}
            onClick={() => session.setMinor(minor)}
          >
            <span>{minor}</span>
            <span aria-hidden="true" class={column === undefined ? 'muted' : column.refuses ? 'bad' : 'good'}>
              {column === undefined ? '·' : column.refuses ? '✗' : '✓'}
            </span>
            <small aria-hidden="true">{differs[0] === undefined ? '' : `other ${differs[0]}`}</small>
            <span class="unseen">{words}</span>
          </button>
        );
      })}
    </nav>
  );
}

/** The present texts against all minors, found out by a judge of its own some time after the verdict. */
function useMatrix(session: PageSession): VersionMatrix | undefined {
  const [matrix, setMatrix] = useState<VersionMatrix>();
  const { texts } = session.state;
  const { state } = session.judgement;
  useEffect(() => {
    if (state !== 'done') return undefined;
    const length = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
    if (length > MOST_AT_ONCE || length === 0) {
      setMatrix(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      void session.besides.ask({ kind: 'versions', texts }, { signal: stop.signal }).then((outcome) => {
        if (!stop.signal.aborted) setMatrix(outcome.kind === 'answered' ? outcome.answer : undefined);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [texts, state]);
  return matrix;
}
