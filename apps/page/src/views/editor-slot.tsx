import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { ActedDiagnostic } from '../state/code-actions.ts';
import type { PaneEditor } from '../editor/pane-editor.ts';
import { rangeOfFinding } from '../editor/places.ts';
import { PANE_WORDS } from '../state/texts.ts';
import type { Pane } from '../state/texts.ts';
import type { PageSession } from '../state/page-session.ts';
import { lazyComponent } from './lazy-component.tsx';
import { Tabs } from './tabs.tsx';

/**
 * Script of the editors. It loads at the same time as the worker that computes verdicts, so that the first verdict does not wait for the
 * script.
 */
const script = import('../editor/pane-editor.ts');
// The component that creates an editor handles the failure. This handler prevents an unhandled rejection.
script.catch(() => undefined);

const EmptyPane = lazyComponent(async () => (await import('./empty-pane.tsx')).EmptyPane);

/** Shows the editors of several kinds of documents, such as definitions and objects, under tabs. One editor is visible at a time. */
export function EditorSlot({
  session,
  panes,
  label,
}: {
  readonly session: PageSession;
  readonly panes: readonly Pane[];
  readonly label: string;
}): JSX.Element {
  const [shown, show] = useState<Pane>(() => firstPane(panes, session));
  const { jump } = session;
  useEffect(() => {
    if (jump && panes.includes(jump.pane)) show(jump.pane);
  }, [jump]);
  const tabs = panes.map((pane) => ({
    id: pane,
    words: PANE_WORDS[pane],
    isMarked: session.state.texts[pane] !== '' && pane !== shown,
    isSecondary: pane === 'changed' || pane === 'old',
  }));
  return (
    <section class="slot" aria-label={label}>
      <Tabs label={label} tabs={tabs} shown={shown} onShow={show} />
      {panes.map((pane) => (
        <div key={pane} class="pane" role="tabpanel" id={`panel-${pane}`} aria-labelledby={`tab-${pane}`} hidden={pane !== shown}>
          <OneEditor session={session} pane={pane} />
          {session.state.texts[pane] === '' && <EmptyPane session={session} pane={pane} />}
        </div>
      ))}
    </section>
  );
}

/** Returns the pane that is visible first. If a link opens the view *What if*, this is the pane of the changed definition. */
function firstPane(panes: readonly Pane[], { state: { view, texts } }: PageSession): Pane {
  const isChange = view === 'what-if' && panes.includes('changed') && texts.changed !== '';
  return isChange ? 'changed' : (panes[0] as Pane);
}

function OneEditor({ session, pane }: { readonly session: PageSession; readonly pane: Pane }): JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const editor = useEditor(session, pane, host);
  const text = session.state.texts[pane];
  // The effect reads the current text, because the user may have typed since the last render.
  useEffect(() => editor?.setText(session.state.texts[pane]), [editor, text]);
  const { diagnostics, lenses, text: noted } = session.notesOf(pane);
  const { result } = session.judgement;
  // Diagnostics of objects come from the evaluation, which includes stored objects and policies.
  const ofJudge = pane === 'objects' ? result : undefined;
  useEffect(() => {
    if (editor === undefined) return;
    if (pane === 'objects') editor.showDiagnostics(judged(editor, session));
    else if (session.state.texts[pane] === noted) editor.showDiagnostics(diagnostics);
  }, [editor, diagnostics, ofJudge]);
  useEffect(() => {
    if (session.state.texts[pane] === noted) editor?.showLenses(lenses);
  }, [editor, lenses]);
  const { jump } = session;
  useEffect(() => {
    if (editor === undefined || jump?.pane !== pane) return;
    const { line, column } = jump;
    // The pane may have been hidden, so this waits for the next frame.
    requestAnimationFrame(() => editor.goTo(rangeOfFinding(editor.view.state.doc, { line, column, endLine: line, endColumn: column })));
  }, [editor, jump]);
  return <div class="editor" ref={host} />;
}

/** Creates the editor of a pane. Returns undefined until the script of the editors is loaded. */
function useEditor(session: PageSession, pane: Pane, host: { readonly current: HTMLElement | null }): PaneEditor | undefined {
  const [editor, setEditor] = useState<PaneEditor>();
  useEffect(() => {
    let made: PaneEditor | undefined;
    let isShown = true;
    const make = async (): Promise<void> => {
      try {
        const { PaneEditor } = await script;
        if (!isShown) return;
        made = new PaneEditor(pane, session.state.texts[pane], {
          language: session.language,
          onChange: (text) => session.setText(pane, text),
          onLargePaste: (text) => void session.open([new File([text], 'pasted.yaml')]),
        });
        host.current?.append(made.view.dom);
        setEditor(made);
      } catch {
        session.tell('The editor could not be loaded from the host of this page. Reload the page to try again.');
      }
    };
    void make();
    return () => {
      isShown = false;
      made?.view.destroy();
    };
  }, []);
  return editor;
}

function judged({ view }: PaneEditor, session: PageSession): ActedDiagnostic[] {
  const { doc } = view.state;
  return (session.judgement.result?.objects ?? [])
    .filter(({ pane }) => pane === 'objects')
    .flatMap(({ findings, line, outcome }) =>
      findings.map(({ severity, field, message, at = { line, column: 1, endLine: line, endColumn: 1 } }) => ({
        range: rangeOfFinding(doc, at),
        // Findings about an object that was not judged say why it was not judged, not what is wrong in it. So the editor marks them as
        // information.
        severity: severity === 'note' || outcome === 'notEvaluated' ? ('information' as const) : severity,
        message: field === undefined ? message : `${field}: ${message}`,
      })),
    );
}
