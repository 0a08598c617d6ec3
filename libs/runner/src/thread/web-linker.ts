import type { EngineChoice, Linker } from '#cel';
import { engineNamed } from './engine-names.ts';
import type { EngineName } from './engine-names.ts';

/**
 * Links generated code in runtimes without `node:vm`, such as web pages. Throws if the runtime forbids code from strings; rules are then
 * interpreted.
 */
// oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- there is no node:vm, and the text is the engine's own
const linkOnTheWeb: Linker = (parameter, body) => new Function(parameter, body) as ReturnType<Linker>;

/**
 * Returns the engine with this name. If the engine generates code, it turns the code into functions without `node:vm`. The library's bundle
 * contains this file instead of `node-linker.ts`.
 */
export const nodeEngine = (name: EngineName): EngineChoice => engineNamed(name, linkOnTheWeb);

/** Default CEL engine of the library. It interprets an expression at first, and generates JavaScript code if that is worthwhile. */
export const NODE_ENGINE: EngineChoice = nodeEngine('adaptive');
