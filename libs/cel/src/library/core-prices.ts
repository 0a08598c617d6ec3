import type { FunctionDeclaration } from './define.ts';

/** The libraries of cel-go that nobody else prices. */
const CORE_LIBRARIES: ReadonlySet<string> = new Set(['standard', 'optionals', 'comprehensions']);
/** The functions beside them that cel-go itself prices. Source: cel-go interpreter/runtimecost.go `costCall` (v0.17.8). */
const PRICED_BY_CORE: ReadonlySet<string> = new Set(['format', 'strings.quote']);

/** Declarations without the run-time prices that Kubernetes adds: what only those price costs 1 a call. */
export function withCorePrices(declarations: readonly FunctionDeclaration[]): readonly FunctionDeclaration[] {
  return declarations.map((declaration) =>
    CORE_LIBRARIES.has(declaration.library) || PRICED_BY_CORE.has(declaration.name)
      ? declaration
      : {
          ...declaration,
          measure: undefined,
          overloads: declaration.overloads.map((overload) => ({ ...overload, measure: undefined, panics: undefined })),
        },
  );
}
