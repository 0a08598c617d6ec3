import { render } from 'preact';
import { LATEST_MINOR } from '#kube';
import { FIRST_TEXTS } from './state/first-texts.ts';
import { keepState, stateToBeginWith } from './state/kept-state.ts';
import { PageSession } from './state/page-session.ts';
import { App } from './views/app.tsx';
import './style.css';

async function begin(): Promise<void> {
  const { state, problem } = await stateToBeginWith();
  const session = new PageSession(state ?? { texts: FIRST_TEXTS, minor: LATEST_MINOR, view: 'verdict' });
  if (problem !== undefined) session.tell(problem);
  keepState(session);
  const host = document.getElementById('page') as HTMLElement;
  host.replaceChildren();
  render(<App session={session} />, host);
}

/** Registers the service worker that makes the page available without a network, if the page names its script in `assay-offline`. */
function keepForOffline(): void {
  const script = document.querySelector<HTMLMetaElement>('meta[name="assay-offline"]')?.content;
  if (script === undefined || !('serviceWorker' in navigator)) return;
  // If the browser forbids this, the page works only while its host answers.
  navigator.serviceWorker.register(`./${script}`).catch(() => undefined);
}

void begin();
addEventListener('load', keepForOffline);
