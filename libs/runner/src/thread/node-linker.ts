import { compileFunction } from 'node:vm';
import type { EngineChoice, Linker } from '#cel';

/** Links generated code in Node. `node:vm` rather than `Function`, so that a host can forbid code from strings elsewhere. */
const linkInNode: Linker = (parameter, body) => compileFunction(body, [parameter]) as ReturnType<Linker>;

/** The engines by their names. See `EngineChoice` of `#cel`. */
export type EngineName = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** An engine by its name, with Node's linker where it generates code. */
export function nodeEngine(name: EngineName): EngineChoice {
  return name === 'interpreted' || name === 'measured' ? name : { kind: name, link: linkInNode };
}

/** What the product judges with: the interpreter at first, generated code where it pays. */
export const NODE_ENGINE: EngineChoice = nodeEngine('adaptive');
