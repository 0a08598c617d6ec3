import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_LINK_LENGTH, writeFragment } from '../state/fragment.ts';
import type { PageSession } from '../state/page-session.ts';
import { closeByHabit } from './close-by-habit.ts';

/** Offers ways to share the texts: a link, and files for the command line, a server, a test or an issue. */
export function ShareMenu({ session }: { readonly session: PageSession }): JSX.Element {
  const [said, say] = useState('');
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeByHabit(menu.current), []);
  const close = (): void => menu.current?.removeAttribute('open');
  const copy = async (text: string, what: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}.`);
      close();
    } catch {
      say(`Your browser does not allow the page to copy ${what}.`);
    }
  };
  const link = async (): Promise<void> => {
    const fragment = await writeFragment(session.state);
    if (fragment.length > MAX_LINK_LENGTH)
      return say(`A link would have ${Math.ceil(fragment.length / 1024)} KiB, too much for most programs. Save a file instead.`);
    await copy(`${location.origin}${location.pathname}#${fragment}`, 'the link');
  };
  const save = (name: string, text: string, type: string): void => {
    download(name, text, type);
    say(`Saved ${name}.`);
    close();
  };
  const suite = async (): Promise<void> => {
    const { texts, minor } = session.state;
    const outcome = await session.besides.ask({ kind: 'suite', texts, minor });
    if (outcome.kind === 'answered') save('suite.yaml', outcome.answer, 'application/yaml');
    else say('The suite could not be written.');
  };
  // These texts are rarely wanted: their scripts load with the first click.
  const copyShell = async (): Promise<void> => {
    const { commandLineText } = await import('../share/commands.ts');
    await copy(commandLineText(session.state), 'the commands');
  };
  const copyCurl = async (): Promise<void> => {
    const { curlText } = await import('../share/commands.ts');
    await copy(curlText(session.state, server), 'the commands');
  };
  const saveReport = async (): Promise<void> => {
    const { bugReport } = await import('../share/bug-report.ts');
    save('report.md', bugReport(session.state, session.judgement.result), 'text/markdown');
  };
  const server = location.protocol.startsWith('http') ? location.origin : 'http://127.0.0.1:8080';
  return (
    <div class="share">
      <details ref={menu}>
        <summary>Share</summary>
        <div class="menu">
          <button type="button" onClick={() => void link()}>
            Copy link
          </button>
          <button type="button" onClick={() => void suite()}>
            Save suite for <code>assay test</code>
          </button>
          <button type="button" onClick={() => save('crd.yaml', session.state.texts.definitions, 'application/yaml')}>
            Save definitions
          </button>
          <button type="button" onClick={() => void copyShell()}>
            Copy shell commands
          </button>
          <button type="button" onClick={() => void copyCurl()}>
            Copy curl command
          </button>
          <button type="button" onClick={() => void saveReport()}>
            Save bug report
          </button>
        </div>
      </details>
      <p role="status" class="muted">
        {said}
      </p>
    </div>
  );
}

/** Offers a text to the user as a file download. */
function download(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
