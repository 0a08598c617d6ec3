import { useEffect, useState } from 'preact/hooks';

/** Media query for windows that are wide enough for two columns, as in style.css. */
const WIDE = '(min-width: 801px)';

/** Returns true if the window has space for two columns. Renders the component again if this changes. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const look = (): void => setWide(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isWide;
}
