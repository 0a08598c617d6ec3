import { isIP } from 'node:net';
import { Argument, Command as Program, CommanderError, Option } from 'commander';
import { EFFECTS } from '#evaluation';
import type { Effect } from '#evaluation';
import type { FieldValidation } from '#evaluation';
import { applySettings } from './apply-settings.ts';
import { completionScript, SHELLS } from './completion.ts';
import type { Shell } from './completion.ts';
import { DIFF_FAILURES } from './diff-failures.ts';
import type { DiffFailure } from './diff-failures.ts';
import { FAILURES } from './evaluation-status.ts';
import type { Failure } from './evaluation-status.ts';
import { LATEST_MINOR } from '#kube';
import { countOf, diffFailuresOf, effectsOf, failuresOf, minorOf, minorsOf, portOf, shareOf } from './option-values.ts';
import type { Minor } from '#kube';
import type { ClusterOption } from './cluster/open-cluster.ts';
import type { GuardAddress } from './guard/guard-server.ts';
import { GUARD_MODES } from './guard/guard-settings.ts';
import type { GuardMode } from './guard/guard-settings.ts';
import { PROBLEM_REPORTS } from './report/evaluation-report.ts';
import { SUITE_REPORTS } from './suite/report-suites.ts';
import type { SuiteReport } from './suite/report-suites.ts';
import { packageVersion } from '#telemetry';
import {
  collected,
  optionsOf,
  pathsOf,
  runSettingsOf,
  withCatalogue,
  withFieldValidation,
  withOutput,
  withPaths,
  withReading,
  withTimeout,
  withServer,
  withWriter,
} from './shared-options.ts';
import type { Values } from './shared-options.ts';
import { findSettings } from './settings-file.ts';
import {
  LSP,
  EVALUATE,
  EVAL,
  EXPLAIN,
  DIFF,
  MATRIX,
  WHAT_IF,
  UPGRADE_CHECK,
  GUARD,
  CLUSTER_EVALUATE,
  TEST,
  FIRST_STEPS,
  EXIT_STATUS,
} from './command-words.ts';
import { OUTPUT_FORMS } from './commands.ts';
import type { OutputForm, EvaluationForm, GuardCommand, DiffCommand, Command } from './commands.ts';
import { UsageError } from './usage.ts';

/** Reads the command line, in a folder whose settings hold; each command takes its own options only. Throws {@link UsageError}. */
export function readArguments(argv: readonly string[], folder = process.cwd()): Command {
  let command: Command | undefined;
  let help = '';
  const program = programOf(
    (understood) => (command = understood),
    (text) => (help += text),
  ).hook('preAction', (_, command) => {
    const settings = command.options.length === 0 ? undefined : findSettings(folder);
    if (settings) applySettings(command, settings);
  });
  if (argv.length === 0) return { name: 'help', text: FIRST_STEPS };
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') return command ?? { name: 'help', text: help };
    throw new UsageError(error.message.replace(/^error: /, ''));
  }
  return command ?? { name: 'help', text: program.helpInformation() };
}

/** All help there is, command by command; docs/command-line.md is made of it. */
export function helpPages(): readonly { readonly name: string; readonly text: string }[] {
  const program = programOf(
    () => undefined,
    () => undefined,
  );
  return [program, ...program.commands].map((one) => ({ name: one.name(), text: one.helpInformation() }));
}

function programOf(understand: (command: Command) => void, write: (text: string) => void): Program {
  const program = new Program('assay')
    .description("The kube-apiserver's verdict on custom resources, with the price of every rule.")
    .usage('COMMAND [options] [PATH…]')
    .addHelpText('after', EXIT_STATUS)
    .configureHelp({ helpWidth: 120, subcommandTerm: (command) => command.name() })
    .option('-V, --version', 'print the version')
    .on('option:version', () => understand({ name: 'help', text: `${packageVersion()}\n` }))
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined });
  withCatalogue(
    withWriter(
      withFieldValidation(
        withServer(withOutput(withPaths(withClusterChoice(program.command('evaluate').description(EVALUATE))), EVALUATION_FORMS)),
        'Strict',
      ),
    ),
  )
    .option('--explain', 'list what each rule cost')
    .option('--return-objects', 'print accepted objects as they would be stored')
    .option(
      '--old <path>',
      'objects as they were before, such as a folder of another revision: those of the same kind and name are judged as updates; may be given several times',
      collected,
    )
    .option('--cluster', CLUSTER_EVALUATE)
    .option('--base <revision>', 'the same, of a revision of the git repository that the files are in')
    .option('--strict-kinds', 'fail where no definition of an object is there; without it such objects, as Deployments, are counted only')
    .addOption(
      new Option('--fail-on <failures>', `what ends with status 1, with commas, of ${FAILURES.join(', ')}`)
        .argParser(failuresOf)
        .default(DEFAULT_FAILURES, DEFAULT_FAILURES.join(',')),
    )
    .option('--must-reject', 'status 0 only if every object is rejected, as in a folder of bad examples')
    .option('-q, --quiet', 'print what is wrong and the summary only')
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
        asServer: values.asServer === true,
      }),
    );
  withServer(withOutput(program.command('eval').description(EVAL), OUTPUT_FORMS))
    .argument('<expression>', 'an expression of CEL, of any type')
    .requiredOption('--schema <path>', 'file of the definition in whose schema it stands')
    .option('--version <name>', 'the version of the definition (default: the one that is stored)')
    .option('--path <path>', 'where self is, such as spec.rules[0] (default: the whole object)', '')
    .option('--object <path>', 'objects in which it is evaluated; may be given several times', collected)
    .action((expression: string, values: EvalValues) =>
      understand({
        name: 'eval',
        expression,
        schema: values.schema,
        version: values.version,
        path: values.path,
        objects: values.object ?? [],
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      }),
    );
  const withDocuments = (command: Program, strictness: FieldValidation): Program =>
    withWriter(withFieldValidation(withServer(withOutput(withPaths(command), OUTPUT_FORMS)), strictness));
  withDocuments(withClusterChoice(program.command('explain').description(EXPLAIN)), 'Warn')
    .option('--cluster', 'explain the definitions of a cluster: all their rules, the dearest first')
    .option('-v, --verbose', 'take each rule apart')
    .option('--rule <number>', 'take one rule apart, by its number in the table', countOf)
    .option('--fix', 'print, as a patch, the bounds with which a server takes the definitions')
    .option('--write', 'with --fix: write them into the files; comments stay')
    .option('--html <file>', 'also write a page for a browser, with a picture of where each rule spends its cost')
    .action((paths: string[], values: ExplainValues) =>
      understand({
        name: 'explain',
        ...runSettingsOf(values),
        cluster: explainedCluster(values),
        paths: values.cluster === true ? noPaths(paths, values) : pathsOf(paths, values, 'explain'),
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
        verbose: values.verbose === true,
        rule: values.rule,
        html: values.html,
        fix: values.fix === true ? (values.write === true ? 'write' : 'patch') : undefined,
      }),
    );
  withCatalogue(withDocuments(program.command('matrix').description(MATRIX), 'Strict')).action((paths: string[], values: Values) =>
    understand({
      name: 'matrix',
      crds: values.crds,
      paths: pathsOf(paths, values, 'matrix'),
      output: values.output as OutputForm,
      options: optionsOf(values),
      ...runSettingsOf(values),
    }),
  );
  withWriter(
    withFieldValidation(
      withServer(withOutput(withPaths(withClusterChoice(program.command('what-if').description(WHAT_IF))), OUTPUT_FORMS)),
      'Warn',
    ),
  )
    .option('--from <old>', 'file of the definition, or files of the policies, as they are')
    .option('--cluster', 'the definition as a cluster has it, over all objects that it stores')
    .requiredOption('--to <new>', 'the same as it shall be')
    .addOption(
      new Option('--fail-on <effects>', `effects that end with status 1, with commas, of ${EFFECTS.join(', ')}`)
        .argParser(effectsOf)
        .default(DEFAULT_FAIL_ON, DEFAULT_FAIL_ON.join(',')),
    )
    .action((paths: string[], values: Values & { from?: string; to: string; failOn: readonly Effect[] }) => {
      const cluster = clusterOf(values);
      if ((cluster === undefined) === (values.from === undefined)) throw new UsageError('what-if needs one of --from FILE and --cluster');
      understand({
        name: 'what-if',
        ...runSettingsOf(values),
        cluster,
        from: values.from,
        to: values.to,
        failOn: values.failOn,
        paths: cluster ? noPaths(paths, values) : pathsOf(paths, values, 'what-if'),
        output: values.output as OutputForm,
        options: optionsOf(values),
      });
    });
  withFieldValidation(
    withServer(withOutput(withClusterChoice(program.command('upgrade-check').description(UPGRADE_CHECK)), OUTPUT_FORMS)),
    'Ignore',
  )
    .option('--cluster', 'the cluster that is upgraded; it need not be said')
    .requiredOption('--to-version <minor>', 'the minor that it shall have', minorOf)
    .action((values: Values & { toVersion: string }) =>
      understand({
        name: 'upgrade-check',
        ...runSettingsOf(values),
        cluster: clusterOf({ ...values, cluster: true }) ?? { ownMinor: true },
        toVersion: values.toVersion as Minor,
        output: values.output as OutputForm,
        options: optionsOf(values),
        ...runSettingsOf(values),
      }),
    );
  withServer(withOutput(program.command('diff').description(DIFF), [...OUTPUT_FORMS, 'markdown']))
    .argument('<revision>', 'the older state, a revision of the git repository, or two of them: main..HEAD')
    .argument('<path...>', 'files or folders of the repository')
    .addOption(
      new Option('--fail-on <failures>', `what ends with status 1, with commas, of ${DIFF_FAILURES.join(', ')}`)
        .argParser(diffFailuresOf)
        .default(DEFAULT_DIFF_FAILURES, DEFAULT_DIFF_FAILURES.join(',')),
    )
    .action((revision: string, paths: string[], values: Values & { failOn: readonly DiffFailure[] }) => {
      const [base = '', head] = revision.split('..');
      understand({
        name: 'diff',
        base,
        head: head === '' ? undefined : head,
        paths,
        output: values.output as DiffCommand['output'],
        options: optionsOf(values),
        ...runSettingsOf(values),
        failOn: values.failOn,
      });
    });
  withServer(withClusterChoice(program.command('guard').description(GUARD)))
    .option('--tls-cert <file>', 'certificate of the webhook, PEM; read again when it changes')
    .option('--tls-key <file>', 'its key')
    .option('--self-made-certificate <names>', 'make a certificate for DNS names or addresses, with commas, instead, and renew it')
    .option('--inject-into <name>', 'the ValidatingWebhookConfiguration that is to trust it; the authority is printed if there is none')
    .option(
      '--definitions <path>',
      'files or a folder of definitions and policies that objects posted to /admission/objects have to meet',
      collected,
    )
    .option('--insecure-http', 'do not encrypt: something in front of it does')
    .option('--host <address>', 'where to listen', '0.0.0.0')
    .addOption(new Option('--port <number>', 'where to listen').argParser(portOf).default(8443))
    .addOption(
      new Option('--mode <mode>', 'what becomes of a bad change whose annotation names no mode').choices([...GUARD_MODES]).default('deny'),
    )
    .addOption(
      new Option('--when-late <word>', 'what becomes of a change that was not judged in time').choices(['allow', 'deny']).default('allow'),
    )
    .addOption(
      new Option('--minors <minors>', 'minors that have to take a definition or a policy, with commas')
        .argParser(minorsOf)
        .default([], 'none'),
    )
    .addOption(
      new Option('--cost-share <number>', "the most that rules may cost of the server's limit, from 0 to 1").argParser(shareOf).default(1),
    )
    .addOption(
      new Option('--breaking <effects>', `effects that no stored object may meet, with commas, of ${EFFECTS.join(', ')}`)
        .argParser(effectsOf)
        .default(DEFAULT_BREAKING, DEFAULT_BREAKING.join(',')),
    )
    .action((values: GuardValues) => understand(guardOf(values)));
  withFieldValidation(withServer(withOutput(withPaths(program.command('test').description(TEST)), SUITE_REPORTS)), 'Warn')
    .option('-w, --watch', 'after a change run what it is about again, until Ctrl-C, which ends with the status by then')
    .action((paths: string[], values: Values & { watch?: boolean }) =>
      understand({
        name: 'test',
        paths: pathsOf(paths, values, 'test'),
        output: values.output as SuiteReport,
        options: optionsOf(values),
        ...runSettingsOf(values),
        watch: values.watch === true,
      }),
    );
  for (const command of program.commands) {
    const isServer = command.name() === 'guard';
    if (!isServer) withTimeout(command.name() === 'test' ? command : withReading(command));
  }
  program
    .command('init')
    .description('write a file of settings, .assay.yaml, for the commands in this folder and below')
    .action(() => understand({ name: 'init' }));
  program
    .command('completion')
    .description('print a script that completes commands and options: source <(assay completion bash)')
    .addArgument(new Argument('<shell>', 'whose script').choices(SHELLS))
    .action((shell: Shell) => understand({ name: 'help', text: completionScript(shell, program) }));
  program
    .command('lsp')
    .description(LSP)
    .argument('[PATH...]', 'files and folders with definitions of the objects that are edited')
    .option('-k, --kubernetes-version <minors>', 'whose verdicts are shown: 1.30 … 1.37, several with commas, or all', minorsOf, [
      LATEST_MINOR,
    ])
    .option('--stdio', 'speak over standard input and output (the only way; editors say so)')
    .action((paths: string[], values: { kubernetesVersion: readonly Minor[] }) =>
      understand({ name: 'lsp', paths, minors: values.kubernetesVersion }),
    );
  return program;
}

const DEFAULT_DIFF_FAILURES: readonly DiffFailure[] = ['refused', 'objects'];
const EVALUATION_FORMS = [...OUTPUT_FORMS, ...PROBLEM_REPORTS.filter((form) => form !== 'text')];
const DEFAULT_FAILURES: readonly Failure[] = ['rejected', 'not-evaluated'];
const DEFAULT_FAIL_ON: readonly Effect[] = ['brokenOnUpdate', 'breaksOnNextChange', 'notJudged'];
const DEFAULT_BREAKING: readonly Effect[] = ['brokenOnUpdate', 'breaksOnNextChange'];

interface ExplainValues extends Values {
  readonly verbose?: boolean;
  readonly rule?: number;
  readonly fix?: boolean;
  readonly write?: boolean;
  readonly html?: string;
}

interface EvalValues extends Values {
  readonly schema: string;
  readonly version?: string;
  readonly path: string;
  readonly object?: readonly string[];
}

interface GuardValues extends Omit<Values, 'output'> {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly selfMadeCertificate?: string;
  readonly injectInto?: string;
  readonly insecureHttp?: boolean;
  readonly definitions?: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly mode: GuardMode;
  readonly whenLate: 'allow' | 'deny';
  readonly minors: readonly Minor[];
  readonly costShare: number;
  readonly breaking: readonly Effect[];
}

interface EvaluateValues extends Values {
  readonly old?: readonly string[];
  readonly base?: string;
  readonly strictKinds?: boolean;
  readonly failOn: readonly Failure[];
  readonly mustReject?: boolean;
  readonly quiet?: boolean;
  readonly asServer?: boolean;
}

/** Which cluster is meant, for commands that can ask one. */
const withClusterChoice = (command: Program): Program =>
  command
    .option('--kubeconfig <file>', 'the kubeconfig (default: KUBECONFIG, ~/.kube/config, or the account of the pod)')
    .option('--context <name>', 'a context of it')
    .option('--allow-exec', 'run the program that the kubeconfig names for credentials');

/** Undefined where no cluster is asked. */
function clusterOf({ cluster, kubeconfig, context, allowExec, kubernetesVersion }: Values): ClusterOption | undefined {
  if (cluster === true) return { kubeconfig, context, allowExec: allowExec === true, ownMinor: kubernetesVersion === undefined };
  if (kubeconfig !== undefined || context !== undefined || allowExec === true)
    throw new UsageError('--kubeconfig, --context and --allow-exec go with --cluster');
  return undefined;
}

function guardOf(values: GuardValues): GuardCommand {
  const { host, port, minors, costShare, breaking } = values;
  const asked = { ...values, output: 'text', cluster: true };
  return {
    name: 'guard',
    cluster: clusterOf(asked) ?? { ownMinor: true },
    options: optionsOf(asked),
    address: { host, port, certificate: certificateOf(values) },
    definitions: values.definitions ?? [],
    settings: { limits: { minors, costShare, breaking }, mode: values.mode, whenLate: values.whenLate },
  };
}

function certificateOf({
  tlsCert: cert,
  tlsKey: key,
  selfMadeCertificate,
  injectInto,
  insecureHttp = false,
}: GuardValues): GuardAddress['certificate'] {
  const names = selfMadeCertificate?.split(',').map((name) => name.trim()) ?? [];
  const odd = names.find((name) => isIP(name) === 0 && !/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name));
  if (odd !== undefined) throw new UsageError(`--self-made-certificate: ${JSON.stringify(odd)} is neither a DNS name nor an address`);
  if (injectInto !== undefined && names.length === 0) throw new UsageError('--inject-into goes with --self-made-certificate');
  const files = cert !== undefined && key !== undefined ? { kind: 'files' as const, cert, key } : undefined;
  const selfMade = names.length > 0 ? { kind: 'selfMade' as const, names, injectInto } : undefined;
  if ([files !== undefined, selfMade !== undefined, insecureHttp].filter(Boolean).length !== 1)
    throw new UsageError('guard needs --tls-cert and --tls-key, or --self-made-certificate, or else --insecure-http');
  return files ?? selfMade;
}

/** The rules of a cluster are listed; they are taken apart, or mended, in files. */
function explainedCluster(values: ExplainValues): ClusterOption | undefined {
  const cluster = clusterOf(values);
  if (cluster && (values.rule !== undefined || values.fix === true || values.html !== undefined))
    throw new UsageError('--rule, --fix and --html are for files, not for --cluster');
  if (values.html !== undefined && values.fix === true) throw new UsageError('--html and --fix do not go together');
  return cluster;
}

function noPaths(paths: readonly string[], { filename = [] }: Values): readonly string[] {
  if (paths.length + filename.length > 0) throw new UsageError('with --cluster no files are judged: leave PATH out');
  return [];
}
