import type { EngineChoice, Linker } from '#cel';

/**
 * Name of an engine that evaluates CEL rules: interpreter, generated code, or both in turn (`adaptive`). `measured` is the interpreter with
 * a report of each node's cost. See `EngineChoice` of `#cel`.
 */
export type EngineName = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Returns the engine with this name. If the engine generates code, it uses `link` to turn the code into functions. */
export function engineNamed(name: EngineName, link: Linker): EngineChoice {
  return name === 'interpreted' || name === 'measured' ? name : { kind: name, link };
}
