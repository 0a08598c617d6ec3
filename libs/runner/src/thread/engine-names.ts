import type { EngineChoice, Linker } from '#cel';

/** The engines by their names. See `EngineChoice` of `#cel`. */
export type EngineName = 'adaptive' | 'compiled' | 'interpreted' | 'measured';

/** Returns an engine by its name, with a linker if it generates code. */
export function engineNamed(name: EngineName, link: Linker): EngineChoice {
  return name === 'interpreted' || name === 'measured' ? name : { kind: name, link };
}
