import { useRef, useState } from 'preact/hooks';
import type { JSX, TargetedPointerEvent } from 'preact';
import type { View } from '../state/page-state.ts';
import type { PageSession } from '../state/page-session.ts';
import { useSession } from '../state/use-session.ts';
import { EditorSlot } from './editor-slot.tsx';
import { lazyComponent } from './lazy-component.tsx';
import { MoreMenu } from './more-menu.tsx';
import { ShareMenu } from './share-menu.tsx';
import { Tabs } from './tabs.tsx';
import type { Tab } from './tabs.tsx';
import { VerdictView } from './verdict-view.tsx';
import { VersionStrip } from './version-strip.tsx';
import { grouped, spentText } from '#numbers';
import { TONE_SIGNS, verdictWords } from './verdict-words.ts';

const VIEW_TABS: readonly Tab<View>[] = [
  { id: 'verdict', words: 'Verdict' },
  { id: 'cost', words: 'Cost' },
  { id: 'versions', words: 'Versions' },
  { id: 'what-if', words: 'What if', isSecondary: true },
  { id: 'benchmark', words: 'Benchmark', isSecondary: true },
];
const FilesPanel = lazyComponent(async () => (await import('./files-panel.tsx')).FilesPanel);
const SHOWN: Readonly<Record<View, (props: { readonly session: PageSession }) => JSX.Element>> = {
  verdict: VerdictView,
  cost: lazyComponent(async () => (await import('./cost-view.tsx')).CostView),
  versions: lazyComponent(async () => (await import('./versions-view.tsx')).VersionsView),
  'what-if': lazyComponent(async () => (await import('./what-if-view.tsx')).WhatIfView),
  benchmark: lazyComponent(async () => (await import('./benchmark-view.tsx')).BenchmarkView),
  examples: lazyComponent(async () => (await import('./examples-view.tsx')).ExamplesView),
  learn: lazyComponent(async () => (await import('./learn-view.tsx')).LearnView),
  server: lazyComponent(async () => (await import('./server-view.tsx')).ServerView),
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

/** Smallest share of the space that either side keeps, in per cent. */
const LEAST = 15;
/** Step of an arrow key, in per cent. */
const STEP = 5;

/** Directions of the arrow keys, which move a divider. */
const KEYS: Readonly<Record<string, number>> = { ArrowUp: -STEP, ArrowLeft: -STEP, ArrowDown: STEP, ArrowRight: STEP };

/**
 * Bar between two parts of the page, which the pointer or the arrow keys move. `share` is the share of the first part in per cent. The
 * parent element of the bar contains both parts.
 */
function Divider({
  label,
  direction,
  share,
  onShare,
}: {
  readonly label: string;
  /** Direction in which the bar extends. A vertical bar stands between a left part and a right part. */
  readonly direction: 'horizontal' | 'vertical';
  readonly share: number;
  readonly onShare: (share: number) => void;
}): JSX.Element {
  const move = (to: number): void => onShare(Math.min(100 - LEAST, Math.max(LEAST, Math.round(to * 10) / 10)));
  const drag = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const { currentTarget: bar, pointerId, clientX, clientY } = event;
    if (!bar.hasPointerCapture(pointerId) || bar.parentElement === null) return;
    const { left, top, width, height } = bar.parentElement.getBoundingClientRect();
    move(direction === 'vertical' ? (100 * (clientX - left)) / width : (100 * (clientY - top)) / height);
  };
  const step = (event: KeyboardEvent): void => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    move(share + by);
    event.preventDefault();
  };
  return (
    <div
      class={`divider ${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={direction}
      aria-valuenow={Math.round(share)}
      aria-valuemin={LEAST}
      aria-valuemax={100 - LEAST}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={step}
    />
  );
}

/** Signs that are shown beside the words of the verdict on all texts, because many people cannot tell the colours apart. */
const SIGNS = {
  good: TONE_SIGNS.accepted,
  bad: TONE_SIGNS.refused,
  expensive: TONE_SIGNS.expensive,
  open: TONE_SIGNS.open,
  none: '',
} as const;

/**
 * Shows the verdict on all texts of the page, as the page's largest element. While a new verdict is computed, also shows the progress of
 * this computation.
 */
function SummaryLine({ session }: { readonly session: PageSession }): JSX.Element {
  const { state, result, minor = session.state.minor, why, done, of } = session.judgement;
  const progress = done !== undefined && of !== undefined && of > 0 ? ` ${grouped(done)} of ${grouped(of)}` : '';
  const words =
    state === 'ended' ? { kind: 'open' as const, heading: 'Not judged', facts: [`${why}.`] } : result && verdictWords(result, minor);
  const kind = words?.kind ?? 'none';
  return (
    <div class={`summary ${state} ${kind}`}>
      {SIGNS[kind] !== '' && (
        <span class="sign" aria-hidden="true">
          {SIGNS[kind]}
        </span>
      )}
      <div class="said" role="status" aria-live="polite">
        <h2>{words?.heading ?? 'Judging …'}</h2>
        {words && 'reason' in words && <p class="reason">{words.reason}</p>}
        <p class="facts">
          {words?.facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {result && state !== 'ended' && kind !== 'none' && <Took result={result} />}
          {state === 'judging' && words && <span>judging …{progress}</span>}
        </p>
      </div>
      {state === 'judging' ? (
        <button type="button" onClick={() => session.stop()}>
          Stop
        </button>
      ) : (
        state === 'ended' && (
          <button type="button" onClick={() => session.judgeAgain()}>
            Judge again
          </button>
        )
      )}
      <button type="button" class="to-results" onClick={goToResults}>
        Details
      </button>
    </div>
  );
}

/** Scrolls to the results on a small screen. */
function goToResults(): void {
  const results = document.getElementById('results');
  results?.scrollIntoView();
  results?.focus({ preventScroll: true });
}

const Took = ({ result: { compiles, spentMs } }: { readonly result: NonNullable<PageSession['judgement']['result']> }): JSX.Element => (
  <span
    class="took"
    title={compiles ? 'rules run as generated code' : 'rules are interpreted: the policy of this host forbids generated code'}
  >
    {spentText(spentMs)}
  </span>
);
