// Fails if a link of a document has no target, if a document names a missing file or test, if a source names a missing document, or if the
// index lacks a page.
//   npm run tool -- links
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { marked } from 'marked';
import { GENERATED_FILES } from './generate/generated-files.mjs';
import { anchorOf } from './manual.mjs';
import { programArguments } from '../testing/program-arguments.ts';
import { projectFiles } from '../testing/project-files.ts';

programArguments('usage: npm run tool -- links\n', {});
process.chdir(join(import.meta.dirname, '..'));
const INDEX = 'docs/README.md';
/**
 * Pattern of files in which links are not checked. Changelogs name files that may no longer exist, and recorded inputs name files of other
 * projects.
 */
const LEFT_OUT = /CHANGELOG\.md$|\.jsonl$|package-lock\.json$|\.spec\.tsx?$/;
const files = projectFiles('.');
const documents = files.filter((file) => file.endsWith('.md') && !LEFT_OUT.test(file));
const faults = [];

const anchors = new Map();
function anchorsOf(file) {
  if (!anchors.has(file)) anchors.set(file, new Set(headingsOf(readFileSync(file, 'utf8')).map(anchorOf)));
  return anchors.get(file);
}
function headingsOf(text) {
  return marked
    .lexer(text)
    .filter(({ type }) => type === 'heading')
    .map((heading) => heading.text.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
}

/** Returns the targets of all links and pictures of a document. */
function targetsOf(text) {
  const targets = [];
  void marked.walkTokens(marked.lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push(token.href);
  });
  return targets;
}

/** Pattern of a path of the project, such as `libs/cel/src`, and of the name of a TypeScript file, which a document names as code. */
const NAMED_PATH = /^(?:(?:apps|conformance|docs|examples|libs|loadtests|scripts|testing)\/[\w./-]+|[\w-]+(?:\.spec)?\.tsx?)$/;
/** Pattern of documents that name files which their readers write. */
const NAMES_OTHERS = /docs\/contributing\/add-an?-/;
const names = new Set(files.map((file) => basename(file)));

/** Checks the files and folders that a document names as code. Generated files need not exist. */
function checkNamedPaths(file) {
  void marked.walkTokens(marked.lexer(readFileSync(file, 'utf8')), (token) => {
    if (token.type !== 'codespan' || !NAMED_PATH.test(token.text) || /generated|\.NN\b/.test(token.text)) return;
    const isThere = token.text.includes('/') ? existsSync(token.text) || GENERATED_FILES.includes(token.text) : names.has(token.text);
    if (!isThere) faults.push(`${file}: ${token.text} is not there`);
  });
}

function checkTarget(file, href) {
  if (/^[a-z]+:/.test(href)) return;
  const [path, anchor] = href.split('#');
  const target = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(target)) faults.push(`${file}: ${href} leads nowhere`);
  else if (anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor))
    faults.push(`${file}: ${href} has no such heading`);
}

const specs = files
  .filter((file) => /\.spec\.tsx?$|\/contract\.ts$/.test(file))
  .map((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'"));

/**
 * Yields the titles of tests that a row of a table names in its last cell: `file.spec.ts`: "title". The page about security names them
 * as *title*.
 */
function* titlesIn(file, row) {
  const cell = row.split('|').at(-2) ?? '';
  const begin = cell.indexOf('.spec.ts`: "');
  if (begin >= 0)
    yield* (
      cell
        .slice(begin)
        .split('. ')[0]
        .match(/(?<=")[a-z][^"]+(?=")/g) ?? []
    );
  if (file.endsWith('security.md'))
    for (const titles of cell.match(/(?<=\*)\w[^*]+(?=\*)|(?<=\*)%s[^*]+(?=\*)/g) ?? []) yield* titles.split(' › ');
}

/** Checks that a test has each title that a document names in a table. */
function checkTestTitles(file) {
  for (const row of readFileSync(file, 'utf8').match(/^\|.*\|$/gm) ?? [])
    for (const title of titlesIn(file, row))
      if (!specs.some((spec) => spec.includes(title))) faults.push(`${file}: no test has the title ${title}`);
}

for (const file of documents) for (const href of targetsOf(readFileSync(file, 'utf8'))) checkTarget(file, href);
for (const file of documents) if (!NAMES_OTHERS.test(file)) checkNamedPaths(file);
for (const file of documents) checkTestTitles(file);

// A path in a program, a manifest or a message is relative to the project's root.
for (const file of files) {
  if (LEFT_OUT.test(file) || file.endsWith('.md') || !statSync(file).isFile()) continue;
  for (const [mention] of readFileSync(file, 'utf8').matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md\b/g))
    if (!existsSync(mention)) faults.push(`${file}: ${mention} is not there`);
}

// A folder may have its own index, which the main index names.
const targetsFrom = (file) => targetsOf(readFileSync(file, 'utf8')).map((href) => normalize(join(dirname(file), href.split('#')[0])));
const named = targetsFrom(INDEX);
const fromIndex = new Set([...named, ...named.filter((file) => file.endsWith('decisions/README.md')).flatMap(targetsFrom)]);
for (const file of documents)
  if (file.startsWith('docs/') && file !== INDEX && !fromIndex.has(file)) faults.push(`${INDEX}: does not name ${file}`);

for (const [from, to] of Object.entries(JSON.parse(readFileSync('docs/redirects.json', 'utf8')))) {
  if (existsSync(join('docs', from))) faults.push(`docs/redirects.json: ${from} is a page`);
  if (!existsSync(join('docs', to))) faults.push(`docs/redirects.json: ${to} is not there`);
}
for (const fault of faults) console.log(fault);
if (faults.length === 0) console.log(`All links of ${documents.length} documents lead somewhere.`);
process.exitCode = faults.length === 0 ? 0 : 1;
