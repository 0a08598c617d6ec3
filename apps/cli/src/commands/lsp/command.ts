import { Option } from 'commander';
import { LATEST_MINOR, MINOR_RANGE } from '#kube';
import type { Minor } from '#kube';
import { minorsOf } from '../../options/option-values.ts';
import type { Command } from '../command.ts';
import type { LspArguments } from './run.ts';

/** The command `assay lsp`. */
export const lspCommand: Command<LspArguments> = {
  name: 'lsp',
  help: 'serve an editor in the Language Server Protocol: diagnostics, hover, completion, costs above rules and quick fixes for definitions, objects and policies (docs/how-to/editors.md)',
  withoutEngine: true,
  options: (parser, understand) =>
    void parser
      .argument('[PATH...]', 'files and folders with the definitions of the objects that you edit')
      .addOption(
        new Option(
          '-k, --kubernetes-version <versions>',
          `Kubernetes versions whose verdicts you want: ${MINOR_RANGE}, separated by commas, or all`,
        )
          .argParser(minorsOf)
          .default([LATEST_MINOR], LATEST_MINOR),
      )
      .option('--stdio', 'use standard input and output (the default; editors pass this option)')
      .action((paths: string[], values: { readonly kubernetesVersion: readonly Minor[]; readonly problem?: string }) =>
        understand({ paths, minors: values.kubernetesVersion, problem: values.problem }),
      ),
  run: async (parsed) => (await import('./run.ts')).runLsp(parsed),
};
