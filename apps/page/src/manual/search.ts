// Searches the manual's pages in an index that is generated with the pages.

interface Entry {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly id: string;
  readonly text: string;
}

/** Highest number of listed search results. */
const LISTED = 20;
/** Number of characters shown around a match. */
const AROUND = 60;

const field = document.querySelector<HTMLInputElement>('#search');
const list = document.querySelector<HTMLElement>('#found');
/** The path from this page to the folder of the manual. */
const top = document.body.dataset.top ?? './';
let index: Promise<readonly Entry[]> | undefined;

field?.addEventListener('input', () => void search(field.value.trim().toLowerCase()));

async function search(words: string): Promise<void> {
  if (list === null) return;
  if (words.length < 2) return list.replaceChildren();
  index ??= fetch(`${top}index.json`).then((answer) => answer.json() as Promise<readonly Entry[]>);
  const terms = words.split(/\s+/);
  const found = (await index)
    .flatMap((entry) => {
      const title = `${entry.title} ${entry.heading}`.toLowerCase();
      const text = entry.text.toLowerCase();
      if (!terms.every((term) => title.includes(term) || text.includes(term))) return [];
      return [{ entry, rank: terms.filter((term) => title.includes(term)).length }];
    })
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, LISTED);
  list.replaceChildren(...(found.length === 0 ? [itemOf('Nothing is found.')] : found.map(({ entry }) => resultOf(entry, terms[0] ?? ''))));
}

function itemOf(text: string): HTMLElement {
  const item = document.createElement('li');
  item.textContent = text;
  return item;
}

function resultOf({ page, title, heading, id, text }: Entry, term: string): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${top}${page}${id === '' ? '' : `#${id}`}`;
  link.textContent = heading === '' || heading === title ? title : `${title}: ${heading}`;
  const at = Math.max(0, text.toLowerCase().indexOf(term) - AROUND);
  item.append(link, document.createElement('br'), text.slice(at, at + 2 * AROUND + term.length));
  return item;
}
