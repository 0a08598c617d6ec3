import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';

type View = (props: { readonly session: PageSession }) => JSX.Element;

/** Returns a view whose script loads when the view first opens, so that the first verdict does not wait for the script. */
export function later(load: () => Promise<View>): View {
  let known: View | undefined;
  return function Later({ session }): JSX.Element {
    const [, again] = useState(false);
    const [problem, setProblem] = useState(false);
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (view) => {
          known = view;
          again(true);
        },
        () => setProblem(true),
      );
    }, []);
    // A separate element gets separate hooks.
    const Known = known;
    if (Known !== undefined) return <Known session={session} />;
    return <p class="muted">{problem ? 'This part of the page could not be loaded: its host does not answer.' : 'loading …'}</p>;
  };
}
