/** The panes in which documents are written. Any pane takes any document; its name says what is meant to stand there. */
export const PANES = ['definitions', 'objects', 'old', 'policies', 'changed'] as const;

/** One of {@link PANES}. `old`: objects as they are stored; `changed`: definitions as they are to become, for what-if. */
export type Pane = (typeof PANES)[number];

/** What is written in each pane. */
export type Texts = Readonly<Record<Pane, string>>;

/** No pane has anything in it. */
export const NO_TEXTS: Texts = { definitions: '', objects: '', old: '', policies: '', changed: '' };

/** The words on the tabs of the panes. */
export const PANE_WORDS: Readonly<Record<Pane, string>> = {
  definitions: 'Definitions',
  objects: 'Objects',
  old: 'Stored objects',
  policies: 'Policies',
  changed: 'Changed definitions',
};
