import type { JSX } from 'preact';
import { MINORS } from '#kube';
import type { Minor } from '#kube';
import type { View } from '../state/page-state.ts';
import type { PageSession } from '../state/page-session.ts';
import { useSession } from '../state/use-session.ts';
import { EditorSlot } from './editor-slot.tsx';
import { SummaryLine } from './summary-line.tsx';
import { Tabs } from './tabs.tsx';
import { VerdictView } from './verdict-view.tsx';

const VIEW_TABS: readonly { readonly id: View; readonly words: string }[] = [{ id: 'verdict', words: 'Verdict' }];

/** The whole page: what is written on the left, what comes of it on the right. */
export function App({ session }: { readonly session: PageSession }): JSX.Element {
  const { state, notice } = useSession(session);
  return (
    <>
      <a class="skip" href="#results">
        Skip to the verdict
      </a>
      <header>
        <h1>Assay</h1>
        <p class="claim">What the API server says to custom resources, judged in this page. Nothing you type leaves it.</p>
        <label>
          Kubernetes{' '}
          <select value={state.minor} onChange={(event) => session.setMinor(event.currentTarget.value as Minor)}>
            {MINORS.map((minor) => (
              <option key={minor}>{minor}</option>
            ))}
          </select>
        </label>
      </header>
      {notice !== undefined && (
        <div class="notice" role="alert">
          <p>{notice}</p>
          <button type="button" onClick={() => session.tell(undefined)}>
            Dismiss
          </button>
        </div>
      )}
      <main>
        <div class="written">
          <EditorSlot session={session} panes={['definitions', 'changed', 'policies']} label="Definitions and policies" />
          <EditorSlot session={session} panes={['objects', 'old']} label="Objects" />
        </div>
        <section class="results" id="results" tabIndex={-1} aria-label="Results">
          <SummaryLine session={session} />
          <Tabs label="Results" tabs={VIEW_TABS} shown={state.view} onShow={(view) => session.setView(view)} />
          <div class="view" role="tabpanel" id={`panel-${state.view}`} aria-labelledby={`tab-${state.view}`}>
            <VerdictView session={session} />
          </div>
        </section>
      </main>
    </>
  );
}
