// Writes the documents of docs/ as HTML pages with the same paths, a list of all pages, and a search.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Marked } from 'marked';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
/** Titles of the folders in docs/, in the order of the list of pages. The first entry is docs/ itself. */
const FOLDERS = {
  '': 'Start',
  tutorial: 'Tutorial',
  'how-to': 'How to',
  reference: 'Reference',
  explanation: 'Explanation',
  reports: 'Reports',
  contributing: 'Contributing',
};

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
/** Returns the anchor that GitHub creates for a heading. */
export const anchorOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/**
 * Writes the manual into a folder. `head` is inserted into the head of each page. `script` and `style` are paths relative to the folder.
 */
export function writeManual(folder, { head, script, style }) {
  const names = readdirSync(docs, { recursive: true }).filter((name) => name.endsWith('.md'));
  const pages = names.map((name) => pageOf(name)).toSorted(inOrder);
  const report = newestReport();
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const page of pages) write(page.name, document(page, { pages, head, script, style, hasReport: report !== undefined }));
  const redirects = JSON.parse(readFileSync(join(docs, 'redirects.json'), 'utf8'));
  for (const [from, to] of Object.entries(redirects)) write(htmlOf(from), redirect(htmlOf(to), head));
  for (const picture of readdirSync(docs, { recursive: true }).filter((name) => /\.(png|svg)$/.test(name))) {
    mkdirSync(dirname(join(folder, picture)), { recursive: true });
    cpSync(join(docs, picture), join(folder, picture));
  }
  if (report !== undefined) cpSync(report, join(folder, 'load-lab-report.html'));
  write('index.json', JSON.stringify(pages.flatMap(({ entries }) => entries)));
}

/** Returns the path of the newest report of the load lab; undefined if there is no report. */
function newestReport() {
  const results = join(root, 'loadtests/results');
  if (!existsSync(results)) return undefined;
  const reports = readdirSync(results, { recursive: true }).filter((name) => name.endsWith('report.html'));
  return reports.map((name) => join(results, name)).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}

const htmlOf = (path) => path.replace(/README\.md(#|$)/, 'index.html$1').replace(/\.md(#|$)/, '.html$1');
const folderOf = (name) => posix.dirname(name).replace(/^\.$/, '').split('/')[0];
const order = Object.keys(FOLDERS);

/** Compares two pages for sorting: by folder, then the index page first, then by title. */
function inOrder(a, b) {
  const byFolder = order.indexOf(folderOf(a.name)) - order.indexOf(folderOf(b.name));
  const isIndex = (page) => Number(page.name.endsWith('index.html'));
  return byFolder || isIndex(b) - isIndex(a) || a.title.localeCompare(b.title);
}

function pageOf(file) {
  const name = htmlOf(file);
  const text = readFileSync(join(docs, file), 'utf8');
  const title = plain(/^# (.*)$/m.exec(text)?.[1] ?? file);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${escaped(anchorOf(plain(words)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // In the documents, text that looks like HTML is plain text.
      html: ({ text: markup }) => escaped(markup),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const target = linkOf(href, file);
        return target === undefined ? words : `<a href="${escaped(target)}">${words}</a>`;
      },
      image: ({ href, text: words }) => `<img src="${escaped(href)}" alt="${escaped(words)}" loading="lazy">`,
    },
  });
  let tables = 0;
  const html = marked
    .parse(text)
    .replaceAll('<table>', () => `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
    // Elements that scroll must be reachable with the keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { name, title, html, entries: sectionsOf(text, { page: name, title }) };
}

/** Returns the sections of a document: each heading with the text below it. */
function sectionsOf(text, { page, title }) {
  const sections = [{ page, title, heading: title, id: '', text: '' }];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [, heading] = (!isCode && /^#{2,6} (.*)$/.exec(line)) || [];
    if (heading !== undefined) sections.push({ page, title, heading: heading.replaceAll('`', ''), id: anchorOf(heading), text: '' });
    else sections.at(-1).text += `${line} `;
  }
  return sections.map((section) => ({
    ...section,
    text: section.text
      .replaceAll(/[*`|]|\]\([^)]*\)|\[|-{3,}/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }));
}

/** Returns the target of a link in the manual. Returns undefined for links to files outside docs/, which are shown as plain text. */
function linkOf(href, file) {
  if (/^([a-z]+:|#)/.test(href)) return href;
  return posix.join(posix.dirname(file), href).startsWith('..') ? undefined : htmlOf(href);
}

/** Returns a page that immediately redirects to another page. */
const redirect = (to, head) =>
  `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n${head}<title>Moved</title>\n<meta http-equiv="refresh" content="0; url=./${to}">\n</head>\n<body><p>This page is now <a href="./${to}">${to}</a>.</p></body>\n</html>\n`;

function document({ name, title, html }, { pages, head, script, style, hasReport }) {
  const top = '../'.repeat(name.split('/').length - 1) || './';
  const link = ({ name: other, title: words }) =>
    `<li><a href="${top}${other}"${other === name ? ' aria-current="page"' : ''}>${escaped(words)}</a></li>`;
  const report = hasReport ? `<li><a href="${top}load-lab-report.html">The latest run of the load lab</a></li>` : '';
  const lists = order.map((folder) => {
    const links = pages.filter((page) => folderOf(page.name) === folder).map(link);
    const all = folder === 'reports' ? [...links, report] : links;
    return all.join('') === '' ? '' : `<h2>${FOLDERS[folder]}</h2><ul>${all.join('')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Assay</title>
<link rel="icon" href="${top}../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${top}${style}">
<script type="module" src="${top}${script}"></script>
</head>
<body data-top="${top}">
<header><a class="home" href="${top}../">Assay</a> <a href="#documents">All documents</a> <label>Search <input id="search" type="search" autocomplete="off"></label><ul id="found" aria-live="polite"></ul></header>
<nav id="documents" aria-label="Documents">${lists.join('')}</nav>
<main>
${html}</main>
</body>
</html>
`;
}
