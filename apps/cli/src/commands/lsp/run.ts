import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConnection, StreamMessageReader } from 'vscode-languageserver/node';
import { FileAccess, statsOf } from '../../files/file-access.ts';
import { FILE_LIMITS } from '../../files/file-limits.ts';
import { filesBelow } from '../../files/files-below.ts';
import { packageVersion } from '#telemetry';
import { reportOnStderr } from '../../report/print.ts';
import { EXIT } from '../../usage.ts';
import { GuardedWriter, guardInput, patientOutput } from './guarded-streams.ts';
import { serveLanguage } from './language-server.ts';
import type { Minor } from '#kube';

/** Parsed arguments of `assay lsp`, which serves an editor. */
export interface LspArguments {
  /** Files and folders that the server reads even if they are not open in an editor. */
  readonly paths: readonly string[];
  readonly minors: readonly Minor[];
  /** Reason why the settings file is not used; undefined if there is no problem. */
  readonly problem: string | undefined;
}

/**
 * Serves an editor over standard input and output. Never returns: the process ends at the `exit` request of the protocol, or when the
 * editor closes the connection.
 */
export function runLsp({ minors, paths, problem }: LspArguments): Promise<never> {
  const end = (why: string): never => {
    reportOnStderr(why);
    process.exit(EXIT.usage);
  };
  const output = patientOutput();
  // A client that is gone has closed its end of both.
  output.on('error', () => process.exit(EXIT.ok));
  const understood = guardInput(process.stdin, end);
  const reader = new StreamMessageReader(process.stdin);
  reader.onError((error) => end(`the client does not speak the Language Server Protocol: ${error.message}`));
  reader.onClose(() => process.exit(EXIT.ok));
  const connection = createConnection(reader, new GuardedWriter(output, end), {
    messageStrategy: {
      handleMessage: (message, next) => {
        understood();
        return next(message);
      },
    },
  });
  // What is printed by anyone else would break the stream.
  console.log = console.info = (...words: unknown[]) => reportOnStderr(words.join(' '));
  if (problem !== undefined) reportOnStderr(problem);
  serveLanguage(connection, { minors, texts: textsOf(paths), version: packageVersion(), problem });
  return new Promise(() => undefined);
}

/**
 * Reads the files at the given paths, and the files in given folders. Returns their texts by URI. Reports what cannot be read, so that the
 * editor is served in any case.
 */
function textsOf(paths: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>();
  const access = new FileAccess();
  const wanted = (path: string): boolean => /\.(?:ya?ml|json)$/i.test(path);
  for (const path of paths) {
    const stats = statsOf(path);
    const isFile = stats.ok && !stats.content.isDirectory();
    const found = isFile ? { files: [path], access } : filesBelow(path, { wanted, reportProblem: reportOnStderr, access });
    for (const file of found.files) {
      const read = found.access.read(file, FILE_LIMITS.source);
      if (read.ok) texts.set(pathToFileURL(resolve(file)).href, read.content.toString('utf8'));
      else reportOnStderr(`${file}: ${read.problem}`);
    }
  }
  return texts;
}
