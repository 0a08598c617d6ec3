// Loaded before a service that is profiled (`--import`): its child processes, which get no variables and are killed when it ends, write profiles, too.
import childProcess from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const FLAGS = (process.env['NODE_OPTIONS'] ?? '').split(' ').filter((flag) => flag.startsWith('--cpu-prof'));

const { spawn, fork } = childProcess;

/** Asks a child to end by itself, as it does when the pipe to its parent closes: one that is killed writes no profile. */
function endGently(child: ChildProcess): ChildProcess {
  child.kill = () => {
    if (child.connected) child.disconnect();
    for (const pipe of child.stdio.slice(3)) if (pipe instanceof Socket) pipe.destroy();
    return true;
  };
  return child;
}

childProcess.spawn = ((command: string, args: readonly string[], options: SpawnOptions) =>
  endGently(spawn(command, command === process.execPath ? [...FLAGS, ...args] : args, options))) as typeof spawn;
childProcess.fork = ((file: string, args: readonly string[], options: childProcess.ForkOptions) =>
  endGently(fork(file, args, { ...options, execArgv: [...FLAGS, ...(options.execArgv ?? process.execArgv)] }))) as typeof fork;
syncBuiltinESMExports();
