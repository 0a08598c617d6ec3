import { Option } from 'commander';
import type { Command as Program } from 'commander';
import type { FieldValidation } from '#documents';
import type { ClusterOption } from '../cluster/open-cluster.ts';
import { CLUSTER_EVALUATE, EVAL, EVALUATE, EXPLAIN } from '../command-words.ts';
import { OUTPUT_FORMS, REPORT_FORMS } from '../commands.ts';
import type { Command, EvaluationForm, OutputForm, ReportForm } from '../commands.ts';
import { FAILURES } from '../evaluation-status.ts';
import type { Failure } from '../evaluation-status.ts';
import { countOf, failuresOf } from '../option-values.ts';
import { PROBLEM_REPORTS } from '../report/evaluation-report.ts';
import {
  collected,
  optionsOf,
  pathsOf,
  runSettingsOf,
  unwantedOf,
  withAdvice,
  withCatalogue,
  withFieldValidation,
  withOutput,
  withPaths,
  withServer,
  withWriter,
} from '../shared-options.ts';
import type { Values } from '../shared-options.ts';
import { UsageError } from '../usage.ts';
import { clusterOf, noPaths, withClusterChoice } from './cluster-arguments.ts';

/** Function that receives a successfully parsed command. */
export type Understand = (command: Command) => void;

/** Adds the command `evaluate`, with its options, to the command-line parser. */
export function addEvaluate(program: Program, understand: Understand): void {
  withAdvice(
    withCatalogue(
      withWriter(
        withFieldValidation(
          withServer(withOutput(withPaths(withClusterChoice(program.command('evaluate').description(EVALUATE))), EVALUATION_FORMS)),
          'Strict',
        ),
      ),
    ),
  )
    .option('--explain', 'list the cost of each rule')
    .option('--return-objects', 'print accepted objects as they would be stored')
    .option(
      '--old <path>',
      'earlier objects, such as a folder of another revision: objects of the same kind and name are judged as updates; may be given several times',
      collected,
    )
    .option('--cluster', CLUSTER_EVALUATE)
    .option('--base <revision>', 'earlier objects from a revision of the git repository of the files')
    .option(
      '--strict-kinds',
      'fail if an object has no definition; without this option, such objects, for example Deployments, are only counted',
    )
    .addOption(
      new Option(
        '--fail-on <failures>',
        `findings that end with status 1, with commas, of ${FAILURES.join(', ')}; each includes the ones before it`,
      )
        .argParser(failuresOf)
        .default(DEFAULT_FAILURES, DEFAULT_FAILURES.join(',')),
    )
    .option('--must-reject', 'status 0 only if the server refuses every object, as in a folder of bad examples')
    .option(
      '-q, --quiet',
      'print only problems and the summary, without what is accepted. Accepted definitions and policies are listed only if there are no objects, and at most 10',
    )
    .option('--as-server', "print the server's own messages, whole")
    .action((paths: string[], values: EvaluateValues) =>
      understand({
        name: 'evaluate',
        crds: values.crds,
        paths: pathsOf(paths, values, 'evaluate'),
        output: values.output as EvaluationForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
        cluster: clusterOf(values),
        old: values.old ?? [],
        base: values.base,
        strictKinds: values.strictKinds === true,
        failOn: values.failOn,
        mustReject: values.mustReject === true,
        quiet: values.quiet === true,
        unwantedAdvice: unwantedOf(values),
        asServer: values.asServer === true,
      }),
    );
}

/** Adds the command `eval` to the program. */
export function addEval(program: Program, understand: Understand): void {
  withServer(withOutput(program.command('eval').description(EVAL), OUTPUT_FORMS))
    .argument('<expression>', 'an expression of CEL, of any type')
    .option('--schema <path>', 'file of the definition whose schema contains it; not needed for an expression without self')
    .option('--version <name>', 'the version of the definition (default: the storage version)')
    .option('--path <path>', 'the place of self, such as spec.rules[0] (default: the whole object)', '')
    .option('--object <path>', 'objects in which it is evaluated; may be given several times', collected)
    .action((expression: string, values: EvalValues) => {
      const { schema, version, path, object: objects = [] } = values;
      const needing = [version !== undefined && '--version', path !== '' && '--path', objects.length > 0 && '--object'].find(Boolean);
      if (schema === undefined && needing !== undefined) throw new UsageError(`${needing} needs --schema: the file of the definition`);
      understand({
        name: 'eval',
        expression,
        schema,
        version,
        path,
        objects,
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      });
    });
}

/** Adds the command `explain` to the program. */
export function addExplain(program: Program, understand: Understand): void {
  withAdvice(withServer(withDocuments(withClusterChoice(program.command('explain').description(EXPLAIN)), 'Strict')))
    .option('--cluster', 'explain the definitions of a cluster: all their rules, the dearest first')
    .option('-v, --verbose', 'take each rule apart')
    .option('--rule <number>', 'take one rule apart, by its number in the table', countOf)
    .option('--fix', 'print, as a patch for git apply, the bounds with which a server accepts the definitions')
    .option('--write', 'with --fix: write them into the files; comments stay')
    .option('--html <file>', 'also write a page for a browser, with a picture of the cost of each rule')
    .action((paths: string[], values: ExplainValues) =>
      understand({
        name: 'explain',
        ...runSettingsOf(values),
        cluster: explainedCluster(values),
        paths: values.cluster === true ? noPaths(paths, values) : pathsOf(paths, values, 'explain'),
        output: values.output as ReportForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
        verbose: values.verbose === true,
        rule: values.rule,
        unwantedAdvice: unwantedOf(values),
        html: values.html,
        fix: values.fix === true ? (values.write === true ? 'write' : 'patch') : undefined,
      }),
    );
}

/**
 * Adds the arguments and options of a command that reads definitions and objects from files. `strictness` is the default of
 * `--field-validation`. Does not add the option for the Kubernetes version.
 */
export const withDocuments = (command: Program, strictness: FieldValidation, forms: readonly string[] = REPORT_FORMS): Program =>
  withWriter(withFieldValidation(withOutput(withPaths(command), forms), strictness));

const EVALUATION_FORMS = [...OUTPUT_FORMS, ...PROBLEM_REPORTS.filter((form) => form !== 'text')];
const DEFAULT_FAILURES: readonly Failure[] = ['rejected', 'not-evaluated'];

interface EvaluateValues extends Values {
  readonly old?: readonly string[];
  readonly base?: string;
  readonly strictKinds?: boolean;
  readonly failOn: readonly Failure[];
  readonly mustReject?: boolean;
  readonly quiet?: boolean;
  readonly asServer?: boolean;
}

interface EvalValues extends Values {
  readonly schema?: string;
  readonly version?: string;
  readonly path: string;
  readonly object?: readonly string[];
}

interface ExplainValues extends Values {
  readonly verbose?: boolean;
  readonly rule?: number;
  readonly fix?: boolean;
  readonly write?: boolean;
  readonly html?: string;
}

/**
 * Returns the chosen cluster for `explain`. Throws {@link UsageError} if options for files are given, because with a cluster the command
 * can only list rules.
 */
function explainedCluster(values: ExplainValues): ClusterOption | undefined {
  const cluster = clusterOf(values);
  if (cluster && (values.rule !== undefined || values.fix === true || values.html !== undefined))
    throw new UsageError('--rule, --fix and --html are for files, not for --cluster');
  if (values.html !== undefined && values.fix === true) throw new UsageError('--html and --fix do not go together');
  return cluster;
}
