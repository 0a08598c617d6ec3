import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAssay } from '../run-assay.ts';

/**
 * Command `assay` of a shell session that starts no process of Node: a server in this process runs it. The pages of tutorials call the
 * command dozens of times.
 */
export class ServedCommand {
  readonly #answers = mkdtempSync(join(tmpdir(), 'assay-served-'));
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  #next = 0;

  /** Starts the server. */
  static async start(): Promise<ServedCommand> {
    const command = new ServedCommand();
    command.#server.listen(0, '127.0.0.1');
    await once(command.#server, 'listening');
    return command;
  }

  /**
   * Returns the definition of a bash function `assay`. Where a shell without the function finds no command `assay` of this clone, the
   * function calls what the shell finds. The function does not read its standard input.
   *
   * @param clone folder of the clone, whose folder `bin` may also have the command
   */
  functionFor(clone: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `assay() {
  case "$(type -P assay)" in '${join(clone, 'assay')}' | '${join(clone, 'bin/assay')}') ;; *) command assay "$@"; return ;; esac
  local status id
  exec 9<>/dev/tcp/127.0.0.1/${port}
  printf '%s\\0' "$#" "$PWD" "$@" >&9
  read -r status id <&9
  exec 9>&-
  cat "${this.#answers}/$id.stderr" >&2
  cat "${this.#answers}/$id.stdout"
  return "$status"
}
`;
  }

  /** Ends the server, and removes the answers. */
  stop(): void {
    this.#server.close();
    rmSync(this.#answers, { recursive: true, force: true });
  }

  /** Reads one command, runs it, and answers with its status and the name of the files with its output. */
  #serve(socket: Socket): void {
    let text = '';
    socket.setEncoding('utf8').on('error', () => undefined);
    socket.on('data', (piece: string) => {
      text += piece;
      const [count = '', cwd = '', ...argv] = text.split('\0').slice(0, -1);
      if (argv.length === Number(count) && cwd !== '') void this.#answer(socket, argv, cwd);
    });
  }

  async #answer(socket: Socket, argv: readonly string[], cwd: string): Promise<void> {
    const id = this.#next++;
    const run = await runAssay(argv, { cwd }).catch((error: unknown) => ({ status: 70, stdout: '', stderr: String(error) }));
    for (const stream of ['stdout', 'stderr'] as const) writeFileSync(join(this.#answers, `${id}.${stream}`), run[stream]);
    socket.end(`${run.status} ${id}\n`);
  }
}
