import { NO_POLICIES } from '#documents';
import { factorText } from '#numbers';
import { shownInLine } from '#report';
import { explainDocuments } from './explain-documents.ts';
import type { PlacedExplanation } from './explain-documents.ts';
import { print } from '../../report/print.ts';
import { foldVersions } from './report/prices.ts';
import type { FoldedRule } from './report/prices.ts';
import { explanationProblems } from './report/problems.ts';
import { EXIT } from '../../usage.ts';
import { openCluster, readDefinitions } from '../../cluster/read-cluster.ts';
import type { ClusterOption } from '../../cluster/read-cluster.ts';
import type { RunContext } from '../command.ts';
import type { ExplainArguments } from './run.ts';

/** Runs `assay explain --cluster`: lists the possible cost of all rules in a cluster, highest cost first. Resolves with the exit status. */
export async function runExplainOnCluster(command: ExplainArguments, option: ClusterOption, { engine }: RunContext): Promise<number> {
  const { cluster, options } = await openCluster(option, command.options);
  try {
    const definitions = await readDefinitions(cluster);
    const explained = await explainDocuments({ definitions, objects: [], policies: NO_POLICIES }, options, engine, command.unwantedAdvice);
    print(command.output, explained, {
      text: () => clusterRulesText(explained, command.verbose),
      tools: () => explanationProblems(explained),
    });
    return explained.definitions.every(({ report }) => report.accepted) ? EXIT.ok : EXIT.rejected;
  } finally {
    cluster.close();
  }
}

/** Maximum number of rules that are listed. Rules above this number are only counted. */
const SHOWN_RULES = 50;

/**
 * Returns a text that lists the rules of all definitions, highest cost first, and the definitions that would be refused today. Without
 * `verbose`, only the first `SHOWN_RULES` rules are listed.
 */
export function clusterRulesText({ definitions }: PlacedExplanation, verbose: boolean): string {
  const rules = definitions
    .flatMap((definition) => foldVersions(definition.rules).map((rule) => ({ rule, name: definition.report.name })))
    .toSorted((a, b) => b.rule.factor - a.rule.factor);
  const shown = verbose ? rules : rules.slice(0, SHOWN_RULES);
  const refused = definitions.filter(({ report }) => !report.accepted);
  const lines = shown.flatMap(({ rule, name }) => ruleLines(rule, name));
  if (rules.length > shown.length) lines.push(`and ${rules.length - shown.length} more, none more expensive (-v lists all)`);
  for (const { report } of refused) lines.push(`${report.name} would be refused: ${report.status?.message ?? ''}`);
  const over = rules.filter(({ rule }) => rule.factor > 1).length;
  lines.push(
    `Summary: ${definitions.length} definitions, ${rules.length} rules, ${over} over the limit; ${refused.length} definitions would be refused`,
  );
  return `${lines.map((line) => shownInLine(line)).join('\n')}\n`;
}

function ruleLines({ factor, versions, path, rule, error }: FoldedRule, name: string): string[] {
  const share = error === undefined ? factorText(factor) : 'error';
  return [`${share.padStart(8)} of the limit  ${name} ${versions} ${path}`, `          ${rule.trim().replace(/\s+/g, ' ')}`];
}
