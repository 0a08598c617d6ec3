import { benchCommand } from './bench/command.ts';
import { ceilingCommand } from './ceiling/command.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion/command.ts';
import { diffCommand } from './diff/command.ts';
import { evalCommand } from './eval/command.ts';
import { evaluateCommand } from './evaluate/command.ts';
import { explainCommand } from './explain/command.ts';
import { guardCommand } from './guard/command.ts';
import { historyCommand } from './history/command.ts';
import { initCommand } from './init/command.ts';
import { loadCommand } from './load/command.ts';
import { lspCommand } from './lsp/command.ts';
import { matrixCommand } from './matrix/command.ts';
import { testCommand } from './test/command.ts';
import { upgradeCheckCommand } from './upgrade-check/command.ts';
import { whatIfCommand } from './what-if/command.ts';

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  evaluateCommand,
  evalCommand,
  explainCommand,
  ceilingCommand,
  benchCommand,
  matrixCommand,
  whatIfCommand,
  upgradeCheckCommand,
  diffCommand,
  historyCommand,
  guardCommand,
  testCommand,
  loadCommand,
  initCommand,
  completionCommand,
  lspCommand,
];
