import { useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { View } from '../state/page-state.ts';
import type { PageSession } from '../state/page-session.ts';
import { useSession } from '../state/use-session.ts';
import { Divider } from './divider.tsx';
import { EditorSlot } from './editor-slot.tsx';
import { later } from './later.tsx';
import { MoreMenu } from './more-menu.tsx';
import { ShareMenu } from './share-menu.tsx';
import { SummaryLine } from './summary-line.tsx';
import { Tabs } from './tabs.tsx';
import type { Tab } from './tabs.tsx';
import { VerdictView } from './verdict-view.tsx';
import { VersionStrip } from './version-strip.tsx';

const VIEW_TABS: readonly Tab<View>[] = [
  { id: 'verdict', words: 'Verdict' },
  { id: 'cost', words: 'Cost' },
  { id: 'versions', words: 'Versions' },
  { id: 'what-if', words: 'What if', isSecondary: true },
  { id: 'benchmark', words: 'Benchmark', isSecondary: true },
];
const FilesPanel = later(async () => (await import('./files-panel.tsx')).FilesPanel);
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
  const [upper, setUpper] = useState(68);
  const [left, setLeft] = useState(52.4);
  const tab = useLastTab(state.view);
  const Shown = SHOWN[state.view];
  return (
    <>
      <a class="skip" href="#results">
        Skip to the verdict
      </a>
      <header>
        <h1>Assay</h1>
        <p class="claim">The verdict of Kubernetes on your CRDs and objects, and the cost of each rule</p>
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
      <main style={{ '--left': `${left}%` }}>
        <SummaryLine session={session} />
        <div class="written" style={{ '--upper': `${upper}%` }}>
          <EditorSlot session={session} panes={DEFINITION_PANES} label="Definitions and policies" />
          <Divider label="Height of the upper editor" direction="horizontal" share={upper} onShare={setUpper} />
          <EditorSlot session={session} panes={OBJECT_PANES} label="Objects" />
        </div>
        <Divider label="Width of the editors" direction="vertical" share={left} onShare={setLeft} />
        <section class="results" id="results" tabIndex={-1} aria-label="Results">
          <VersionStrip session={session} />
          {isTab(state.view) ? (
            <Tabs label="Results" tabs={VIEW_TABS} shown={state.view} onShow={(view) => session.setView(view)} />
          ) : (
            <ViewHead session={session} view={state.view} back={tab} />
          )}
          <div class="view" {...panelOf(state.view)} tabIndex={0}>
            {session.files && <FilesPanel session={session} />}
            <Shown key={state.view} session={session} />
          </div>
        </section>
      </main>
    </>
  );
}

/** Returns true if a tab shows the view. A link of the header shows any other view. */
const isTab = (view: View): boolean => VIEW_TABS.some(({ id }) => id === view);

/** Returns the tab whose view was shown last. */
function useLastTab(view: View): Tab<View> {
  const [first] = VIEW_TABS;
  const last = useRef(first as Tab<View>);
  last.current = VIEW_TABS.find(({ id }) => id === view) ?? last.current;
  return last.current;
}

/** Heading of a view without a tab, in the place of the tabs, with a button that leads back to them. */
function ViewHead({ session, view, back }: { readonly session: PageSession; readonly view: View; readonly back: Tab<View> }): JSX.Element {
  return (
    <div class="view-head">
      <h2 id={`tab-${view}`}>{`${view.charAt(0).toUpperCase()}${view.slice(1)}`}</h2>
      <button type="button" onClick={() => session.setView(back.id)}>
        <span aria-hidden="true">← </span>Back to {back.words}
      </button>
    </div>
  );
}

/** Returns the attributes of the panel of a view: of a tab, or of a link of the header. */
function panelOf(view: View) {
  return {
    id: `panel-${view}`,
    ...(isTab(view)
      ? { role: 'tabpanel' as const, 'aria-labelledby': `tab-${view}` }
      : { role: 'region' as const, 'aria-labelledby': `tab-${view}` }),
  };
}

const DEFINITION_PANES = ['definitions', 'policies', 'changed'] as const;
const OBJECT_PANES = ['objects', 'old'] as const;
