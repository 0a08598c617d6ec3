import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { standaloneChart } from '#report/charts';
import { LATEST_MINOR } from '#kube';
import { programArguments, wholeNumber } from '../../../testing/program-arguments.ts';
import { PROJECT } from '../places.ts';
import { markdownTable } from '../report/markdown.ts';
import { corpusFiles, DEFINITION_FOLDERS } from '../workloads/corpus-files.ts';
import { CORPORA } from '../workloads/object-cases.ts';
import { realRulesFindings } from './findings.ts';
import { studyCorpora } from './study-corpora.ts';
import type { RealRule } from './study-corpora.ts';

const USAGE = `usage: npm run tool -- real-rules [--rule-ms N] [--every N] [--out FILE] [--publish FILE]

Studies the rules of all real definitions beside the project. --rule-ms: thread time for the costs of a rule (default: 400). --every: one definition
of so many (default: 1). --out: writes the figures of all rules as JSON. --publish: writes docs/reports/real-rules.md from such a file, and studies nothing.
`;
const [PAGE, PICTURES] = [join(PROJECT, 'docs/reports/real-rules.md'), join(PROJECT, 'docs/reports/real-rules')];

/** The figures that a run writes. */
interface Figures {
  readonly ruleMs: number;
  readonly definitions: number;
  readonly node: string;
  readonly cpu: string;
  readonly day: string;
  readonly rules: readonly RealRule[];
}

/** Runs the program. With definitions, it studies their rules and writes the figures as JSON. With stored figures, it writes the page. */
async function main(): Promise<number> {
  const { values } = programArguments(USAGE, {
    'rule-ms': { type: 'string', default: '400' },
    every: { type: 'string', default: '1' },
    out: { type: 'string', default: 'loadtests/results/real-rules.json' },
    publish: { type: 'string' },
  });
  if (values.publish !== undefined) {
    publishPage(JSON.parse(readFileSync(values.publish, 'utf8')) as Figures);
    return 0;
  }
  if (!existsSync(CORPORA)) {
    process.stderr.write(`there are no real definitions at ${CORPORA}\n`);
    return 2;
  }
  const [ruleMs, every] = [wholeNumber('rule-ms', values['rule-ms'], USAGE), wholeNumber('every', values.every, USAGE)];
  const files = corpusFiles(DEFINITION_FOLDERS).filter((_, i) => i % every === 0);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const rules: RealRule[] = [];
  const say = (text: string): void => void process.stderr.write(`  ${rules.length} rules; ${text}\n`);
  for await (const some of studyCorpora({ files, ruleMs, signal: stop.signal, say })) rules.push(...some);
  const day = new Date().toISOString().slice(0, 10);
  const figures: Figures = { ruleMs, definitions: files.length, node: process.version, cpu: cpus()[0]?.model ?? 'unknown', day, rules };
  writeFileSync(values.out, `${JSON.stringify(figures)}\n`);
  process.stdout.write(`${realRulesFindings(rules).sentences.join('\n')}\nFigures: ${values.out}\n`);
  return 0;
}

/** Writes the page of the study, with its charts in a separate folder. */
function publishPage({ ruleMs, definitions, node, cpu, day, rules }: Figures): void {
  const { sentences, charts, tables } = realRulesFindings(rules);
  rmSync(PICTURES, { recursive: true, force: true });
  mkdirSync(PICTURES, { recursive: true });
  for (const chart of charts) writeFileSync(join(PICTURES, `${chart.id}.svg`), standaloneChart(chart));
  const parts = [
    '# The rules of real definitions',
    `For maintainers of Kubernetes and of CEL libraries: a study of ${rules.length} distinct rules of ${definitions} files of public definitions. This page answers how the cost of rules grows with the size of objects. The page also compares the cost estimates of an API server with the highest costs that the study found. Its last tables show which rules take much time for their cost.`,
    `A *rule* is a CEL expression under \`x-kubernetes-validations\` in a definition (a CustomResourceDefinition). A *cost unit* is the unit in which a server counts the work of CEL ([cost](../explanation/cost.md)). \`npm run tool -- real-rules\` studies the rules, and writes this page with the option \`--publish\`.`,
    ...sentences,
    ...charts.flatMap(({ id, title, subtitle, reading, notShown }) => [
      `## ${title}`,
      `![${subtitle}](real-rules/${id}.svg)`,
      subtitle,
      reading,
      `Not shown: ${notShown}`,
    ]),
    ...tables.filter((table) => table.rows.length > 0).flatMap(({ title, columns, rows }) => [`## ${title}`, markdownTable(columns, rows)]),
    '## Method and limits',
    `Costs are those of Kubernetes ${LATEST_MINOR}, counted exactly as a server counts them. For each rule, a search of ${ruleMs} ms of thread time builds objects that satisfy the schema and all other rules. The search keeps the object for which the rule costs most. More expensive objects may exist. Rules with the same text count once. To measure growth, the study changes the size of one list, map or text, while all other sizes are small. Times are medians of Assay's compiled engine on ${cpu}, Node ${node}, ${day}. The last columns of two tables divide the time of a cost unit by a median. This is the median time of a cost unit of common functions, which the study measured together with the rules. An API server needs other times ([predictions](predictions.md)).`,
  ];
  writeFileSync(PAGE, `${parts.join('\n\n')}\n`);
}

process.exitCode = await main();
