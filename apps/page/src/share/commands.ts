import type { PageState } from '../state/page-state.ts';
import { PANES } from '../state/texts.ts';
import type { Pane } from '../state/texts.ts';

/** Names of the files to which the panes' texts are written. */
const FILES: Readonly<Record<Pane, string>> = {
  definitions: 'definitions.yaml',
  objects: 'objects.yaml',
  old: 'stored-objects.yaml',
  policies: 'policies.yaml',
  changed: 'changed-definitions.yaml',
};

/**
 * Returns a shell command that writes a text to a file with a here-document. The end mark is chosen so that no line of the text equals it.
 */
function hereDocument(file: string, text: string): string {
  let mark = 'END';
  while (text.split('\n').includes(mark)) mark += '_';
  return `cat > ${file} <<'${mark}'\n${text.replace(/\n*$/, '\n')}${mark}`;
}

/**
 * Returns shell commands that write the texts in the page's editors to files. The last command computes the verdicts on these files with
 * `assay evaluate`.
 */
export function commandLineText({ texts, minor }: PageState): string {
  const there = PANES.filter((pane) => texts[pane].trim() !== '');
  const judged = there.filter((pane) => pane !== 'old' && pane !== 'changed').map((pane) => FILES[pane]);
  const old = there.includes('old') ? ` --old ${FILES.old}` : '';
  return `${there.map((pane) => hereDocument(FILES[pane], texts[pane])).join('\n')}\nassay evaluate ${judged.join(' ')}${old} -k ${minor}\n`;
}

/**
 * Returns shell commands that send the definitions, policies and objects in the page's text panels to a server, which computes the
 * verdicts. Stored objects and changed definitions are not included.
 */
export function curlText({ texts, minor }: PageState, server: string): string {
  const documents = (['definitions', 'policies', 'objects'] as const)
    .filter((pane) => texts[pane].trim() !== '')
    .map((pane) => texts[pane].trimEnd());
  const body = hereDocument('documents.yaml', documents.join('\n---\n'));
  return `${body}\ncurl -sS '${server}/evaluate?kubernetesVersion=${minor}&fieldValidation=Strict' -H 'content-type: application/yaml' --data-binary @documents.yaml\n`;
}
