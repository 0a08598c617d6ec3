import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import type { Message } from 'vscode-languageserver/node';
import { packageVersion } from '#telemetry';
import type { Minor } from '#kube';
import { FileAccess, statsOf } from '../../files/file-access.ts';
import { FILE_LIMITS } from '../../files/file-problem.ts';
import { filesBelow } from '../../files/files-below.ts';
import { reportOnStderr } from '../../report/print.ts';
import { EXIT } from '../../usage.ts';
import { serveLanguage } from './language-server.ts';

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
  // The client has closed its end of both streams, so the server ends.
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
  // On stdout, any output except the messages of the protocol would break the stream. So `console.log` writes to stderr.
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

/** Maximum size in bytes of a message from a client. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Maximum number of messages that may wait until the client reads them. */
const MAX_UNREAD_MESSAGES = 1000;

/**
 * Returns standard output as a stream that does not block. By default, Node writes synchronously to a pipe on standard output, and so
 * blocks while nobody reads. A file never blocks, so `process.stdout` is returned for a file.
 */
function patientOutput(): Writable {
  try {
    return new Socket({ fd: process.stdout.fd, readable: false, writable: true });
  } catch {
    return process.stdout;
  }
}

/**
 * Ends the server if a client sends more than `MAX_MESSAGE_BYTES` bytes that do not form a message.
 *
 * @param end called with the reason
 * @returns function that must be called for each message that was parsed
 */
function guardInput(input: Readable, end: (why: string) => void): () => void {
  let waiting = 0;
  input.on('data', (chunk: Uint8Array) => {
    waiting += chunk.length;
    if (waiting > MAX_MESSAGE_BYTES) end(`the client sent ${waiting} bytes that are no message`);
  });
  return () => {
    waiting = 0;
  };
}

/** Writer of messages to the client of the language server. It ends the server if the client sends requests but never reads the answers. */
class GuardedWriter extends StreamMessageWriter {
  readonly #end: (why: string) => void;
  #unread = 0;

  /**
   * Creates a writer for an output stream.
   *
   * @param end called with the reason if the client does not read
   */
  constructor(output: Writable, end: (why: string) => void) {
    super(output);
    this.#end = end;
  }

  override async write(message: Message): Promise<void> {
    if (++this.#unread > MAX_UNREAD_MESSAGES) this.#end(`the client does not read: ${this.#unread} messages wait for it`);
    try {
      await super.write(message);
    } finally {
      this.#unread--;
    }
  }
}
