import type { JSX } from 'preact';

/** A tab. `isMarked`: something is behind it that is not seen. */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly words: string;
  readonly isMarked?: boolean;
}

/** Tabs that arrow keys walk along. Their panels have the ids `panel-…`, and name `tab-…` as their labels. */
export function Tabs<Id extends string>({
  tabs,
  shown,
  onShow,
  label,
}: {
  readonly tabs: readonly Tab<Id>[];
  /** The tab whose panel is shown. None is selected if there is no such tab. */
  readonly shown: Id;
  readonly onShow: (id: Id) => void;
  readonly label: string;
}): JSX.Element {
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const at = tabs.findIndex(({ id }) => id === shown);
    const next = tabs[(at + by + tabs.length) % tabs.length] as Tab<Id>;
    onShow(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
    event.preventDefault();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {tabs.map(({ id, words, isMarked }, i) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === shown}
          aria-controls={id === shown ? `panel-${id}` : undefined}
          tabIndex={id === shown || (i === 0 && !tabs.some((tab) => tab.id === shown)) ? 0 : -1}
          onClick={() => onShow(id)}
        >
          {words}
          {isMarked && <span class="dot" title="has text" />}
        </button>
      ))}
    </div>
  );
}
