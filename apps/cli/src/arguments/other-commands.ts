import { Argument } from 'commander';
import type { Command as Program } from 'commander';
import { LATEST_MINOR, MINOR_RANGE } from '#kube';
import type { Minor } from '#kube';
import { LSP, TEST } from '../command-words.ts';
import { SHELLS, completionScript } from '../commands/completion/script.ts';
import type { Shell } from '../commands/completion/script.ts';
import { minorsOf } from '../options/option-values.ts';
import { optionsOf, pathsOf, runSettingsOf, withFieldValidation, withOutput, withPaths, withServer } from '../options/shared-options.ts';
import type { Values } from '../options/shared-options.ts';
import { SUITE_REPORTS } from '../suite/report-suites.ts';
import type { SuiteReport } from '../suite/report-suites.ts';
import type { Understand } from './judging-commands.ts';

/** Adds the command `test` to the program. */
export function addTest(program: Program, understand: Understand): void {
  withFieldValidation(withServer(withOutput(withPaths(program.command('test').description(TEST)), SUITE_REPORTS)), 'Warn')
    .option('-w, --watch', 'after a change, run the changed suites again; Ctrl-C ends with the last status')
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
}

/** Adds the commands `init`, `completion` and `lsp` to the program. These commands print no verdicts. */
export function addSmallCommands(program: Program, understand: Understand): void {
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
    .option('-k, --kubernetes-version <versions>', `whose verdicts are shown: ${MINOR_RANGE}, several with commas, or all`, minorsOf, [
      LATEST_MINOR,
    ])
    .option('--stdio', 'speak over standard input and output (the only way; editors say so)')
    .action((paths: string[], { kubernetesVersion, problem }: { kubernetesVersion: readonly Minor[]; problem?: string }) =>
      understand({ name: 'lsp', paths, minors: kubernetesVersion, problem }),
    );
}
