import type { Ended, ProjectCopy } from './project-copy.ts';

/** Command of a script that needs no separate process: the options for Node, the file, and the arguments. */
const PLAIN = /^node_modules\/\.bin\/node (?<options>(?:--conditions=source )?)(?<file>\S+\.(?:mjs|ts|js))(?<argv>(?: [\w./-]+)*)$/;

/** Plain command with its words, and with the options for Node. */
interface PlainCommand {
  readonly command: string;
  readonly options: string;
  readonly words: readonly string[];
}

/**
 * Runs scripts in one process for each set of options of Node, one after another. Returns how they ended, by command. The result lacks
 * commands that need a process of their own. Of several commands that start one file, it has the first.
 *
 * @param commands scripts of package.json with arguments
 */
export async function loadScripts(copy: ProjectCopy, commands: readonly string[]): Promise<ReadonlyMap<string, Ended>> {
  const ends = new Map<string, Ended>();
  const plain = commands.flatMap(plainCommand).filter(({ words }, i, all) => all.findIndex((other) => other.words[0] === words[0]) === i);
  for (const [options, some] of Map.groupBy(plain, (one) => one.options)) {
    const given = JSON.stringify(some.map(({ words }) => words));
    const { status, stdout, stderr } = await copy.run(`node_modules/.bin/node ${options}testing/load-scripts.ts '${given}'`);
    if (status !== 0) throw new Error(`the process of the scripts ended with ${status}: ${stderr}`);
    for (const [i, ended] of (JSON.parse(stdout) as Ended[]).entries()) ends.set(some[i]!.command, ended);
  }
  return ends;
}

function plainCommand(command: string): PlainCommand[] {
  const { options, file = '', argv = '' } = PLAIN.exec(command)?.groups ?? {};
  if (options === undefined) return [];
  return [{ command, options, words: [file, ...argv.split(' ').filter((word) => word !== '')] }];
}
