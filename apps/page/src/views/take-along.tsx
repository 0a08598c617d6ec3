import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { MOST_LINKED, writeFragment } from '../state/fragment.ts';
import type { PageSession } from '../state/page-session.ts';
import { bugReport } from '../take-along/bug-report.ts';
import { commandLineText, curlText } from '../take-along/commands.ts';
import { download } from '../take-along/download.ts';

/** Offers what can be taken along: a link, and files for the command line, a server, a test, an issue. */
export function TakeAlong({ session }: { readonly session: PageSession }): JSX.Element {
  const [said, say] = useState('');
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeByHabit(menu.current), []);
  const close = (): void => menu.current?.removeAttribute('open');
  const copy = async (text: string, what: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(`${what} is copied.`);
      close();
    } catch {
      say(`${what} could not be copied: the browser does not allow it.`);
    }
  };
  const link = async (): Promise<void> => {
    const fragment = await writeFragment(session.state);
    if (fragment.length > MOST_LINKED)
      return say(`A link would have ${Math.ceil(fragment.length / 1024)} KiB, too many for most programs: take a file along.`);
    await copy(`${location.origin}${location.pathname}#${fragment}`, 'The link');
  };
  const suite = async (): Promise<void> => {
    const { texts, minor } = session.state;
    const outcome = await session.besides.ask({ kind: 'suite', texts, minor });
    if (outcome.kind === 'answered') download('suite.yaml', outcome.answer, 'application/yaml');
    else say('The suite could not be written.');
  };
  const server = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8080';
  return (
    <div class="take-along">
      <details ref={menu}>
        <summary>Take along</summary>
        <div class="menu">
          <button type="button" onClick={() => void link()}>
            Copy a link
          </button>
          <button type="button" onClick={() => void suite()}>
            Suite for <code>assay test</code>
          </button>
          <button type="button" onClick={() => download('crd.yaml', session.state.texts.definitions, 'application/yaml')}>
            Definitions as a file
          </button>
          <button type="button" onClick={() => void copy(commandLineText(session.state), 'The commands')}>
            Copy shell commands
          </button>
          <button type="button" onClick={() => void copy(curlText(session.state, server), 'The commands')}>
            Copy curl
          </button>
          <button type="button" onClick={() => download('report.md', bugReport(session.state, session.judgement.result), 'text/markdown')}>
            Bug report
          </button>
        </div>
      </details>
      <p role="status" class="muted">
        {said}
      </p>
    </div>
  );
}

/** Closes a menu on Escape and on a click outside of it, until what it returns is called. */
function closeByHabit(menu: HTMLDetailsElement | null): () => void {
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || menu?.open !== true) return;
    menu.removeAttribute('open');
    menu.querySelector('summary')?.focus();
  };
  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Node && menu?.contains(target) === false) menu.removeAttribute('open');
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('click', onClick);
  };
}
