import { compileFunction } from 'node:vm';
import type { EngineChoice, Linker } from '#cel';
import { engineNamed } from './engine-names.ts';
import type { EngineName } from './engine-names.ts';

export type { EngineName } from './engine-names.ts';

/** Links generated code in Node. Uses `node:vm` instead of `Function`, so that a host can forbid code from strings everywhere else. */
const linkInNode: Linker = (parameter, body) => compileFunction(body, [parameter]) as ReturnType<Linker>;

/** Returns the engine with this name. If the engine generates code, it uses Node's linker to turn the code into functions. */
export const nodeEngine = (name: EngineName): EngineChoice => engineNamed(name, linkInNode);

/** Default CEL engine for rules. It interprets a rule at first, and generates JavaScript code if that is worthwhile. */
export const NODE_ENGINE: EngineChoice = nodeEngine('adaptive');
