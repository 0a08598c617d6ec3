import { useEffect, useState } from 'preact/hooks';
import type { JSX } from 'preact';

/** Returns a component whose script loads when the component is first shown, so that the first verdict does not wait for the script. */
export function lazyComponent<Props extends object>(load: () => Promise<(props: Props) => JSX.Element>): (props: Props) => JSX.Element {
  let known: ((props: Props) => JSX.Element) | undefined;
  return function Later(props): JSX.Element {
    const [, again] = useState(false);
    const [problem, setProblem] = useState(false);
    useEffect(() => {
      if (known !== undefined) return;
      load().then(
        (component) => {
          known = component;
          again(true);
        },
        () => setProblem(true),
      );
    }, []);
    // The loaded component must be rendered as an element. If it were called as a function, its hooks would be mixed with the hooks of
    // `Later`.
    const Known = known;
    if (Known !== undefined) return <Known {...props} />;
    return <p class="muted">{problem ? 'This part of the page could not be loaded: its host does not answer.' : 'loading …'}</p>;
  };
}
