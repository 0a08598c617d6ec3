/** Rare command of the project, which `npm run tool` runs by its name. */
export interface Tool {
  /** Effect of the tool, in one line. */
  readonly does: string;
  /** Arguments of Node: options, and the file of the program. A program in `dist/` needs a build. */
  readonly runs: string;
}

const fromSources = (file: string): string => `--conditions=source ${file}`;

/** Rare commands, by name. The frequent ones are scripts of package.json. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  'cel-spec': { does: "runs the CEL specification's conformance tests", runs: 'dist/conformance/src/cel-spec/main.js' },
  coverage: { does: 'reports for which share of rules Assay generates code', runs: 'dist/conformance/src/coverage.js' },
  'decode-diff': { does: 'compares how Assay and Go decode built-in objects', runs: fromSources('conformance/src/decode-diff.ts') },
  'documented-commands': {
    does: 'prints the commands of the documents, and which of them the tests run',
    runs: 'testing/documented-commands/main.ts',
  },
  floors: { does: 'stores how many recorded cases agree', runs: 'dist/conformance/src/raise-floors.js' },
  gator: { does: 'judges the suites of a Gatekeeper library', runs: 'dist/conformance/src/gator.js' },
  imports: {
    does: 'checks which folders import which',
    runs: 'node_modules/.bin/depcruise apps libs conformance loadtests testing --config .dependency-cruiser.mjs',
  },
  links: { does: 'checks the links of the documents', runs: 'scripts/links.mjs' },
  'minor-diff': { does: 'shows what a new Kubernetes version answers differently', runs: fromSources('conformance/src/minor-diff.ts') },
  mutate: { does: 'breaks changed code on purpose, and lists what no test noticed', runs: 'scripts/mutate.mjs' },
  'oracle-diff': { does: 'compares the verdicts of an oracle and of Assay', runs: 'dist/conformance/src/oracle-diff.js' },
  pictures: { does: 'draws the pictures of the documents', runs: 'scripts/pictures.mjs' },
  'plain-english': { does: 'counts sentences that are hard to read', runs: 'scripts/plain-english/main.mjs' },
  'random-cases': { does: 'writes random CEL expressions for oracle-diff', runs: fromSources('conformance/src/random-cases.ts') },
  'random-formats': {
    does: 'writes random texts of string formats for oracle-diff',
    runs: fromSources('conformance/src/random-format-cases.ts'),
  },
  'random-patterns': { does: 'writes random RE2 patterns for oracle-diff', runs: fromSources('conformance/src/random-pattern-cases.ts') },
  'random-writes': { does: 'writes random requests for oracle-diff', runs: fromSources('conformance/src/random-write-cases.ts') },
  readings: { does: 'compares the fast readers of objects with the exact code', runs: 'dist/conformance/src/readings.js' },
  'real-rules': { does: 'studies the rules of real definitions', runs: 'dist/loadtests/src/real-rules/main.js' },
  'typed-lint': { does: 'checks types and all rules of the linter, and counts unsafe assertions', runs: 'scripts/typed-lint/main.mjs' },
};
