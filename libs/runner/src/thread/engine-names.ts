import type { EngineChoice, Linker } from '#cel';

/** Names of the engines that evaluate CEL rules. See `EngineChoice` of `#cel`. */
export type EngineName = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Returns the engine with this name. If the engine generates code, it uses `link` to turn the code into functions. */
export function engineNamed(name: EngineName, link: Linker): EngineChoice {
  return name === 'interpreted' || name === 'measured' ? name : { kind: name, link };
}
