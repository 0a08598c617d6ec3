// Makes the pictures of the page for README and manual: fixed texts, light and dark, in Chromium.
//   npm run tool -- pictures --out DIR
// With the addresses of a Jaeger and of a service that sends its traces there, it also makes the picture of a trace:
//   npm run tool -- pictures --jaeger http://127.0.0.1:16686 --service http://127.0.0.1:8080
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { definitionOf, TASKS } from '../apps/page/src/learn/tasks.ts';
import { FIRST_TEXTS } from '../apps/page/src/state/first-texts.ts';
import { NO_TEXTS } from '../apps/page/src/state/texts.ts';
import { servePage } from '../apps/page/test/serve-page.ts';
import { openBrowser } from '../testing/open-browser.ts';
import { programArguments } from '../testing/program-arguments.ts';
import { buildPage } from './page.mjs';
import { takeTracePicture } from './trace-picture.mjs';

const ROOT = join(import.meta.dirname, '..');
const DESKTOP = { width: 1280, height: 760 };
const PHONE = { width: 390, height: 844 };
/**
 * Time in ms after which the page shows the verdict, the verdicts of other Kubernetes minor versions, and the results of the language
 * service.
 */
const SETTLED_MS = 3000;

const example = (path) => readFileSync(join(ROOT, 'examples', path), 'utf8');

const LESSON = `apiVersion: learn.example.com/v1
kind: Lesson
metadata: { name: first }
spec:
  names: [api, worker]
`;

/** Returns a definition with a rule over a list, for the pictures of the tab *Benchmark*. */
const namesRule = (rule) =>
  definitionOf(`type: object
properties:
  names: {type: array, maxItems: 200, items: {type: string, maxLength: 20}}
x-kubernetes-validations:
- rule: ${JSON.stringify(rule)}`);

const gateway = { definitions: example('gateway-api/httproute-crd.yaml'), objects: example('gateway-api/httproutes.yaml') };
const studied = async (page) => {
  await page.getByText('ready', { exact: true }).waitFor({ timeout: 60_000 });
};

/** Pictures to take: the name, the state of the page, the window size, and the actions before the picture is taken. */
const PICTURES = [
  { name: 'page-verdict', state: { texts: FIRST_TEXTS }, size: DESKTOP },
  { name: 'page-phone', state: { texts: FIRST_TEXTS }, size: PHONE },
  {
    name: 'page-too-expensive',
    state: { texts: { ...NO_TEXTS, definitions: definitionOf(TASKS[9].schema), objects: LESSON } },
    size: DESKTOP,
    before: async (page) => {
      await page.locator('.fixes .primary').waitFor();
      await page.locator('.lens-too-expensive').first().scrollIntoViewIfNeeded();
      await page.locator('.slot').first().hover();
      await page.mouse.wheel(0, 160);
    },
  },
  {
    name: 'page-cost',
    state: { texts: { ...NO_TEXTS, ...gateway }, view: 'cost' },
    size: DESKTOP,
    before: (page) => page.locator('.cost-picture').first().waitFor(),
  },
  {
    name: 'page-what-if-dark',
    state: {
      texts: { ...FIRST_TEXTS, changed: FIRST_TEXTS.definitions.replace('<= self.replicas', '<= self.replicas && self.replicas > 2') },
      view: 'what-if',
    },
    size: DESKTOP,
    isDark: true,
    before: (page) => page.locator('.counts').first().waitFor(),
  },
  {
    name: 'page-benchmark',
    state: {
      texts: { ...NO_TEXTS, definitions: namesRule('self.names.all(a, self.names.exists_one(b, a == b))') },
      view: 'benchmark',
      benchmark: { older: namesRule('self.names.all(a, a.size() < 20)') },
    },
    size: { width: 1280, height: 860 },
    before: studied,
  },
  {
    name: 'page-benchmark-times',
    state: {
      texts: { ...NO_TEXTS, definitions: namesRule('self.names.all(a, self.names.exists_one(b, a == b))') },
      view: 'benchmark',
    },
    size: { width: 1280, height: 860 },
    isDark: true,
    before: async (page) => {
      await studied(page);
      await page.getByRole('button', { name: 'Measure times, too' }).click();
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await studied(page);
      await page.getByRole('heading', { name: 'Times in this browser' }).scrollIntoViewIfNeeded();
      await page.locator('.curve').last().scrollIntoViewIfNeeded();
    },
  },
];

/** Returns the fragment of a link that opens a state of the page, in the format that apps/page/src/state/fragment.ts reads. */
const fragmentOf = (state) => `v1/${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;

/** Opens a state of the page in a new window and writes a screenshot to a file. */
async function take(browser, url, { name, state, size, isDark = false, before }, folder) {
  const colorScheme = isDark ? 'dark' : 'light';
  const context = await browser.newContext({ viewport: size, colorScheme, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(`${url}#${fragmentOf(state)}`);
  await page.locator('.summary.done').waitFor();
  await before?.(page);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
  console.log(`${name}.png`);
}

const { values } = programArguments('usage: npm run tool -- pictures [--out DIR] [--jaeger URL --service URL]\n', {
  out: { type: 'string', default: join(ROOT, 'docs/pictures') },
  jaeger: { type: 'string' },
  service: { type: 'string' },
});
const folder = resolve(process.env.INIT_CWD ?? '.', values.out);
mkdirSync(folder, { recursive: true });
const site = mkdtempSync(join(tmpdir(), 'assay-pictures-'));
try {
  await buildPage(site, { alone: true });
  const [browser, host] = await Promise.all([openBrowser(), servePage(site)]);
  for (const picture of PICTURES) await take(browser, host.url, picture, folder);
  await Promise.all([browser.close(), host.close()]);
} finally {
  rmSync(site, { recursive: true, force: true });
}
const { jaeger, service } = values;
if (jaeger !== undefined && service !== undefined) {
  await takeTracePicture({ jaeger, service, file: join(folder, 'trace-study.png') });
  console.log('trace-study.png');
}
console.log(`The pictures are in ${folder}`);
