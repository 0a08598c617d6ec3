import { LATEST_MINOR, MINORS } from '#kube';
import type { Minor } from '#kube';
import { has, releaseOf } from '../minors.ts';
import type { CostVersion, FunctionDeclaration } from './define.ts';

function made(minor: Minor): CostVersion {
  const release = releaseOf(minor);
  return {
    minor: release.server,
    affixTestTraverses: has(release, 'affixTestTraversesArgument') ? 'argument' : 'receiver',
    estimatesFollowEntries: has(release, 'estimatesFollowEntries'),
    globalMatchesTraverses: has(release, 'globalMatchesTraverses'),
    libraryEqualityIsFixed: has(release, 'libraryEqualityIsFixed'),
    messageSizeIsUnknown: has(release, 'messageSizeIsUnknown'),
    optionalsAreUnwrapped: has(release, 'optionalsAreUnwrapped') && !has(release, 'costsAreModelled'),
    collectionsAreGeneric: has(release, 'collectionsAreGeneric'),
    costsAreModelled: has(release, 'costsAreModelled'),
    urlPartsHaveSizes: has(release, 'urlPartsHaveSizes'),
    presenceTestsHaveSizes: has(release, 'presenceTestsHaveSizes'),
    computedEntriesAreUnbounded: has(release, 'computedEntriesAreUnbounded'),
  };
}

const BY_MINOR: ReadonlyMap<Minor, CostVersion> = new Map(MINORS.map((minor) => [minor, made(minor)]));

/**
 * Returns the cost formulas of a Kubernetes minor version. They depend on Kubernetes' own code and on the version of cel-go that the minor
 * version uses (1.38: v0.33.2, 1.37: v0.29.2, 1.34–1.36: v0.26.0).
 */
export function costVersion(minor: Minor): CostVersion {
  return BY_MINOR.get(minor) as CostVersion;
}

/** Properties that a cost estimate has read from a {@link CostVersion} (cost formulas of a Kubernetes minor version), with their values. */
export type UsedCosts = Partial<CostVersion>;

type CostName = keyof CostVersion;

/** View of a cost version. It notes in `used` each property that is read. */
class RecordedCosts {
  readonly costs: CostVersion;
  readonly used: Record<string, unknown>;
  constructor(costs: CostVersion, used: Record<string, unknown>) {
    this.costs = costs;
    this.used = used;
  }
}

for (const name of Object.keys(made(LATEST_MINOR)) as CostName[]) {
  Object.defineProperty(RecordedCosts.prototype, name, {
    get(this: RecordedCosts) {
      return (this.used[name] = this.costs[name]);
    },
  });
}

/**
 * Returns a view of a cost version that stores in `used` each property that a caller reads. An estimate that reads only these properties is
 * the same for all Kubernetes minor versions in which they have the same values.
 */
export function recordingCosts(costs: CostVersion, used: { -readonly [Name in CostName]?: CostVersion[Name] }): CostVersion {
  return new RecordedCosts(costs, used) as unknown as CostVersion;
}

/**
 * Returns true if an earlier cost estimate is also valid for `costs`. `used` contains the properties that the earlier estimate read. The
 * result is true if `costs` has the same values for all these properties.
 */
export function saysTheSame(costs: CostVersion, used: UsedCosts): boolean {
  return (Object.keys(used) as CostName[]).every((name) => used[name] === costs[name]);
}

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
