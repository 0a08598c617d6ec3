import { useEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import type { PageSession } from '../state/page-session.ts';

/** Opens files that the user drops anywhere on the page, or selects with the button. */
export function DropZone({ session }: { readonly session: PageSession }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!holdsFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void session.open([...(event.dataTransfer?.files ?? [])]);
    };
    // These listeners run before the editors' listeners, which would insert the dropped files.
    addEventListener('dragover', over, true);
    addEventListener('dragleave', leave, true);
    addEventListener('drop', drop, true);
    return () => {
      removeEventListener('dragover', over, true);
      removeEventListener('dragleave', leave, true);
      removeEventListener('drop', drop, true);
    };
  }, [session]);
  return (
    <>
      {isOver && <div class="drop-here">Drop definitions, objects or policies here</div>}
      <button type="button" onClick={() => input.current?.click()}>
        Open files
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files"
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files) void session.open([...files]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
