import { useEffect, useReducer } from 'preact/hooks';
import type { PageSession } from './page-session.ts';

/** React hook that renders a component again whenever the session changes. */
export function useSession(session: PageSession): PageSession {
  const [, again] = useReducer<number, undefined>((count) => count + 1, 0);
  useEffect(() => session.subscribe(() => again(undefined)), [session]);
  return session;
}
