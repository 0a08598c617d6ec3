import type { JSX } from 'preact';
import type { View } from '../state/page-state.ts';
import type { PageSession } from '../state/page-session.ts';
import { useSession } from '../state/use-session.ts';
import { EditorSlot } from './editor-slot.tsx';
import { FilesPanel } from './files-panel.tsx';
import { later } from './later.tsx';
import { MoreMenu } from './more-menu.tsx';
import { ShareMenu } from './share-menu.tsx';
import { SummaryLine } from './summary-line.tsx';
import { Tabs } from './tabs.tsx';
import { VerdictView } from './verdict-view.tsx';
import { VersionStrip } from './version-strip.tsx';

const VIEW_TABS: readonly { readonly id: View; readonly words: string }[] = [
  { id: 'verdict', words: 'Verdict' },
  { id: 'cost', words: 'Cost' },
  { id: 'versions', words: 'Versions' },
  { id: 'what-if', words: 'What if' },
  { id: 'benchmark', words: 'Benchmark' },
];
const SHOWN: Readonly<Record<View, (props: { readonly session: PageSession }) => JSX.Element>> = {
  verdict: VerdictView,
  cost: later(async () => (await import('./cost-view.tsx')).CostView),
  versions: later(async () => (await import('./versions-view.tsx')).VersionsView),
  'what-if': later(async () => (await import('./what-if-view.tsx')).WhatIfView),
  benchmark: later(async () => (await import('./benchmark-view.tsx')).BenchmarkView),
  examples: later(async () => (await import('./examples-view.tsx')).ExamplesView),
  learn: later(async () => (await import('./learn-view.tsx')).LearnView),
  server: later(async () => (await import('./server-view.tsx')).ServerView),
};

/** The whole page, with the editors on the left and the results on the right. */
export function App({ session }: { readonly session: PageSession }): JSX.Element {
  const { state, notice } = useSession(session);
  const Shown = SHOWN[state.view];
  return (
    <>
      <a class="skip" href="#results">
        Skip to the verdict
      </a>
      <header>
        <h1>Assay</h1>
        <p class="claim">
          Paste a CRD and objects: see what the Kubernetes API server says, and what each CEL rule costs. It runs in your browser.
        </p>
        <ShareMenu session={session} />
        <MoreMenu session={session} />
      </header>
      {notice !== undefined && (
        <div class={`notice ${notice.isBad ? 'bad' : ''}`} role={notice.isBad ? 'alert' : 'status'}>
          <p>{notice.words}</p>
          {notice.undo && (
            <button type="button" onClick={notice.undo}>
              Undo
            </button>
          )}
          <button type="button" onClick={() => session.tell(undefined)}>
            Dismiss
          </button>
        </div>
      )}
      <main>
        <SummaryLine session={session} />
        <div class="written">
          <EditorSlot session={session} panes={DEFINITION_PANES} label="Definitions and policies" />
          <EditorSlot session={session} panes={OBJECT_PANES} label="Objects" />
        </div>
        <section class="results" id="results" tabIndex={-1} aria-label="Results">
          <VersionStrip session={session} />
          <Tabs label="Results" tabs={VIEW_TABS} shown={state.view} onShow={(view) => session.setView(view)} />
          <div class="view" {...panelOf(state.view)} tabIndex={0}>
            <FilesPanel session={session} />
            <Shown key={state.view} session={session} />
          </div>
        </section>
      </main>
    </>
  );
}

/** Returns the attributes of the panel of a view: of a tab, or of a link of the header. */
function panelOf(view: View) {
  const isTab = VIEW_TABS.some(({ id }) => id === view);
  return {
    id: `panel-${view}`,
    ...(isTab ? { role: 'tabpanel' as const, 'aria-labelledby': `tab-${view}` } : { role: 'region' as const, 'aria-label': view }),
  };
}

const DEFINITION_PANES = ['definitions', 'changed', 'policies'] as const;
const OBJECT_PANES = ['objects', 'old'] as const;
