/**
 * Names of the text panels of the page, into which the user writes documents. Every panel accepts any kind of document. The name of a panel
 * suggests the intended kind.
 */
export const PANES = ['definitions', 'objects', 'old', 'policies', 'changed'] as const;

/**
 * Name of a text panel of the page, into which the user writes documents, from {@link PANES}. `old` contains stored objects, and `changed`
 * contains changed definitions for what-if.
 */
export type Pane = (typeof PANES)[number];

/** Texts of all panes, by pane name. A pane is a text panel of the page, into which the user writes documents. */
export type Texts = Readonly<Record<Pane, string>>;

/** Empty texts for all panes (text panels of the page into which the user writes documents). */
export const NO_TEXTS: Texts = { definitions: '', objects: '', old: '', policies: '', changed: '' };

/** Titles of the tabs that select the editors of the web page. */
export const PANE_WORDS: Readonly<Record<Pane, string>> = {
  definitions: 'Definitions',
  objects: 'Objects',
  old: 'Stored objects',
  policies: 'Policies',
  changed: 'Changed definitions',
};
