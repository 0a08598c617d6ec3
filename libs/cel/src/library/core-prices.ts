import type { FunctionDeclaration } from './define.ts';

/** Libraries of cel-go for which Kubernetes does not define any costs. */
const CORE_LIBRARIES: ReadonlySet<string> = new Set(['standard', 'optionals', 'comprehensions']);
/**
 * Functions outside `CORE_LIBRARIES` for which cel-go itself defines costs. Source: cel-go interpreter/runtimecost.go `costCall` (v0.17.8).
 */
const PRICED_BY_CORE: ReadonlySet<string> = new Set(['format', 'strings.quote']);

/**
 * Returns the declarations with only the run-time costs that cel-go itself defines. A call of a function costs 1 if only Kubernetes defines
 * a cost for the function.
 */
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
