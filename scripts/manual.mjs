// The documents of docs/ as pages: with a list of all, a search, light and dark, for phones, too.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
/** Not for those who use it. */
const LEFT_OUT = new Set(['roadmap.md', 'queue-decision.md']);

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const plain = (html) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
/** An anchor as GitHub makes it of a heading. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Writes the manual into a folder. `head`: what every page has in its head; `script` and `style`: where they are, as seen from it. */
export function writeManual(folder, { head, script, style }) {
  mkdirSync(folder, { recursive: true });
  const files = ['README.md', ...readdirSync(docs).filter((name) => name.endsWith('.md') && !LEFT_OUT.has(name))];
  const pages = files.map((file) => pageOf(file));
  const report = newestReport();
  if (report !== undefined) cpSync(report, join(folder, 'load-lab-report.html'));
  for (const page of pages)
    writeFileSync(join(folder, page.name), document(page, { pages, head, script, style, hasReport: report !== undefined }));
  for (const pictures of ['experiments', 'load-lab', 'page'])
    if (existsSync(join(docs, pictures))) cpSync(join(docs, pictures), join(folder, pictures), { recursive: true });
  writeFileSync(join(folder, 'index.json'), JSON.stringify(pages.flatMap(({ entries }) => entries)));
}

/** The report of the newest run of the load lab, where there was one. */
function newestReport() {
  const results = join(root, 'loadtests/results');
  if (!existsSync(results)) return undefined;
  const reports = readdirSync(results, { recursive: true }).filter((name) => name.endsWith('report.html'));
  return reports.map((name) => join(results, name)).toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
}

function pageOf(file) {
  const isFront = file === 'README.md';
  const name = isFront ? 'index.html' : file.replace(/\.md$/, '.html');
  const text = readFileSync(isFront ? join(root, file) : join(docs, file), 'utf8');
  const title = plain(/^# (.*)$/m.exec(text)?.[1] ?? file);
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: words }) {
        return `<h${depth} id="${escaped(anchorOf(plain(words)))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // The documents are ours; what looks like markup in them is meant as text.
      html: ({ text: markup }) => escaped(markup),
      link({ href, tokens }) {
        return `<a href="${escaped(linkOf(href, isFront))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text: words }) =>
        `<img src="${escaped(isFront ? href.replace(/^docs\//, '') : href)}" alt="${escaped(words)}" loading="lazy">`,
    },
  });
  let tables = 0;
  const html = marked
    .parse(text)
    .replaceAll('<table>', () => `<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll(/<th([^>]*)><\/th>/g, '<td$1></td>')
    // What scrolls must be reached by the keyboard.
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { name, title, html, entries: sectionsOf(text, { page: name, title }) };
}

/** What stands below each heading of a document. */
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

/** Links to other documents lead to their pages; those to sources, to where the project is read. */
function linkOf(href, isFront) {
  const path = isFront ? href.replace(/^docs\//, '') : href;
  if (/^([a-z]+:|#)/.test(path)) return path;
  return path
    .replace(/^\.\.\/README\.md/, 'index.html')
    .replace(/^README\.md/, 'index.html')
    .replace(/\.md(#|$)/, '.html$1');
}

function document({ name, title, html }, { pages, head, script, style, hasReport }) {
  const link = ({ name: other, title: words }) =>
    `<li><a href="./${other}"${other === name ? ' aria-current="page"' : ''}>${escaped(words)}</a></li>`;
  const report = hasReport ? '<li><a href="./load-lab-report.html">The latest run of the load lab</a></li>' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Assay</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<header><a class="home" href="../">Assay</a> <a href="#documents">All documents</a> <label>Search <input id="search" type="search" autocomplete="off"></label><ul id="found" aria-live="polite"></ul></header>
<nav id="documents" aria-label="Documents"><ul>${pages.map(link).join('')}${report}</ul></nav>
<main>
${html}</main>
</body>
</html>
`;
}
