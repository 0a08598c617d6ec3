import { MAX_LINK_LENGTH, readFragment, writeFragment } from './fragment.ts';
import { pageState } from './page-state.ts';
import type { PageState } from './page-state.ts';
import type { PageSession } from './page-session.ts';

const KEY = 'assay.state.v1';
/** Delay in ms after the last change before the state is stored. */
const PAUSE_MS = 400;

/**
 * Returns the initial state of the page: the state in the link, or else the state that the browser stored before a reload. `problem` is the
 * reason why the link is invalid.
 */
export async function stateToBeginWith(): Promise<{ readonly state?: PageState; readonly problem?: string }> {
  const reading = await readFragment(location.hash.slice(1));
  if (reading.kind === 'state') return { state: reading.state };
  const kept = keptState();
  return { ...(kept && { state: kept }), ...(reading.kind === 'unreadable' && { problem: reading.why }) };
}

function keptState(): PageState | undefined {
  try {
    const result = pageState.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return result.success ? result.data : undefined;
  } catch {
    // The browser blocks storage for this page, or the stored text is not JSON.
    return undefined;
  }
}

/**
 * Stores the page's state in the browser's storage and in the URL fragment when the state changes. If a link is opened in the same window,
 * sets the page to the state in the link. Nothing is sent to a server, because browsers do not send fragments.
 */
export function keepState(session: PageSession): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = session.state;
  let written = location.hash.slice(1);
  const keep = async (): Promise<void> => {
    const { state } = session;
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      // The storage is full or blocked. The link and the download still keep the state.
    }
    const fragment = await writeFragment(state);
    if (state !== session.state) return;
    written = fragment.length <= MAX_LINK_LENGTH ? fragment : '';
    history.replaceState(null, '', `${location.pathname}${location.search}${written === '' ? '' : `#${written}`}`);
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), PAUSE_MS);
  };
  session.subscribe(() => {
    if (session.state === last) return;
    last = session.state;
    later();
  });
  addEventListener('pagehide', () => void keep());
  addEventListener('hashchange', () => {
    const fragment = location.hash.slice(1);
    if (fragment === written) return;
    void readFragment(fragment).then((reading) => {
      if (reading.kind === 'state')
        session.replace('The link replaced what was here.', reading.state.texts, {
          task: undefined,
          benchmark: undefined,
          ...reading.state,
        });
      if (reading.kind === 'unreadable') session.tell(reading.why);
    });
  });
}
