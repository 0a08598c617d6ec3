import type { EngineChoice, Linker } from '#cel';

/** Links generated code where there is no `node:vm`: pages, and other runtimes. Where code from strings is forbidden it throws, and rules are interpreted. */
// oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- there is no node:vm, and the text is the engine's own
const linkOnTheWeb: Linker = (parameter, body) => new Function(parameter, body) as ReturnType<Linker>;

/** The interpreter at first, generated code where it pays. The library's bundle has this in place of `node-linker.ts`. */
export const NODE_ENGINE: EngineChoice = { kind: 'adaptive', link: linkOnTheWeb };
