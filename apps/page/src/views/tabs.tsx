import type { JSX } from 'preact';

/**
 * Tab with its label `words`. `isMarked` is true if its hidden panel has content, which the tab shows as a dot. `isSecondary` is true for a
 * tab that is needed less often: such tabs follow the others, in smaller letters.
 */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly words: string;
  readonly isMarked?: boolean;
  readonly isSecondary?: boolean;
}

/** Shows tabs, which the arrow keys switch. The id of a panel is `panel-…`, and the id of its label is `tab-…`. */
export function Tabs<Id extends string>({
  tabs,
  shown,
  onShow,
  label,
}: {
  readonly tabs: readonly Tab<Id>[];
  /** Id of the tab whose panel is visible. No tab is selected if no tab has this id. */
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
      {tabs.map(({ id, words, isMarked, isSecondary }, i) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          class={isSecondary ? 'secondary' : undefined}
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
