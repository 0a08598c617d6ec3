import { useEffect, useState } from 'preact/hooks';

/** Wide enough for two columns, as in style.css. */
const WIDE = '(min-width: 801px)';

/** Returns whether the window has room for two columns, and shows the component again if that changes. */
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
