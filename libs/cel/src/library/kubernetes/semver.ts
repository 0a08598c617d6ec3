import { compareSemvers, formatSemver, intValue, parseLooseSemver, parseSemver } from '#go';
import type { Semver, SemverResult } from '#go';
import { equalWithin, LibraryValue } from '../../values/library-value.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { BOOL, INT, objectType, STRING } from '../../values/types/type.ts';
import type { CelType } from '../../values/types/type.ts';
import type { FunctionDeclaration, Overload, PlainCall } from '../define.ts';
import { nominal, oneUnit, scanOf, scansFirst } from '../formulas.ts';
import { globalOverload, linear, memberOverload } from '../overload.ts';

const SEMVER_TYPE = objectType('kubernetes.Semver');
/** Minor number of the compatibility version that introduced the semver library. */
const since = 33;

/** CEL value of a semantic version. */
class SemverValue extends LibraryValue {
  readonly celType = SEMVER_TYPE;
  readonly goType = 'cel.Semver';
  readonly version: Semver;
  constructor(version: Semver) {
    super();
    this.version = version;
  }
  override get isHashable(): boolean {
    return false;
  }
  equalTo(other: CelValue): boolean | CelError {
    return equalWithin(SemverValue, other, ({ version }) => compareSemvers(version, this.version) === 0);
  }
  toString(): string {
    return formatSemver(this.version);
  }
}

const read = (text: CelValue | undefined, loose: CelValue | undefined): SemverResult =>
  (loose === true ? parseLooseSemver : parseSemver)(text as string);
const versionOf = (value: CelValue | undefined): Semver => (value as SemverValue).version;

const toSemver: PlainCall = (text, loose) => {
  const parsed = read(text, loose);
  return parsed.ok ? new SemverValue(parsed.version) : new CelError(parsed.error);
};
const isSemver: PlainCall = (text, loose) => read(text, loose).ok;

const growth = linear('github.com/blang/semver/v4 semver.go `Parse`, `Compare` (v4.0.0)');
const scans = { since, estimate: scanOf(0), measure: scansFirst, growth };

const declare = (declaration: Omit<FunctionDeclaration, 'library'>): FunctionDeclaration => ({
  library: 'kubernetes.Semver',
  measure: oneUnit,
  ...declaration,
});

function method(id: string, parameters: readonly CelType[], result: CelType, call: PlainCall): Overload {
  return memberOverload(id, [SEMVER_TYPE, ...parameters], result, { since, estimate: nominal, measure: oneUnit, growth, call });
}

/**
 * Returns an implementation that reads one number of a version. The number is a uint64. It is converted to int64 and wraps around if it is
 * too large, as in Go.
 */
const part =
  (read: (version: Semver) => bigint): PlainCall =>
  (value) =>
    intValue(BigInt.asIntN(64, read(versionOf(value))));

/** Declarations of the functions on semantic versions. Source: k8s.io/apiserver/pkg/cel/library/semverlib.go (1.37). */
export const SEMVER_FUNCTIONS: readonly FunctionDeclaration[] = [
  declare({
    name: 'semver',
    doc: 'A version from its text. If the second argument is true, also from texts such as `v1.0`.',
    examples: ["semver('1.2.3').minor() == 2", "semver('v01.0', true) == semver('1.0.0')"],
    overloads: [
      globalOverload('string_to_semver', [STRING], SEMVER_TYPE, { ...scans, call: toSemver }),
      globalOverload('string_bool_to_semver', [STRING, BOOL], SEMVER_TYPE, { ...scans, call: toSemver }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'isSemver',
    doc: 'True if a text is a version.',
    examples: ["isSemver('1.0.0')", "!isSemver('v1.0')", "isSemver('v1.0', true)"],
    overloads: [
      globalOverload('is_semver_string', [STRING], BOOL, { ...scans, call: isSemver }),
      globalOverload('is_semver_string_bool', [STRING, BOOL], BOOL, { ...scans, call: isSemver }),
    ],
    measure: scansFirst,
  }),
  declare({
    name: 'isGreaterThan',
    doc: 'True if a version comes after another.',
    examples: ["semver('1.2.3').isGreaterThan(semver('1.2.3-rc.1'))"],
    overloads: [method('semver_is_greater_than', [SEMVER_TYPE], BOOL, (a, b) => compareSemvers(versionOf(a), versionOf(b)) === 1)],
  }),
  declare({
    name: 'isLessThan',
    doc: 'True if a version comes before another.',
    examples: ["semver('1.2.3').isLessThan(semver('2.0.0'))"],
    overloads: [method('semver_is_less_than', [SEMVER_TYPE], BOOL, (a, b) => compareSemvers(versionOf(a), versionOf(b)) === -1)],
  }),
  declare({
    name: 'compareTo',
    doc: '-1, 0 or 1 if a version is before, equal to or after another. Build metadata does not count.',
    examples: ["semver('1.2.3+a').compareTo(semver('1.2.3+b')) == 0"],
    overloads: [method('semver_compare_to', [SEMVER_TYPE], INT, (a, b) => compareSemvers(versionOf(a), versionOf(b)))],
  }),
  declare({
    name: 'major',
    doc: 'The major number.',
    examples: ["semver('1.2.3').major() == 1"],
    overloads: [
      method(
        'semver_major',
        [],
        INT,
        part((version) => version.major),
      ),
    ],
  }),
  declare({
    name: 'minor',
    doc: 'The minor number.',
    examples: ["semver('1.2.3').minor() == 2"],
    overloads: [
      method(
        'semver_minor',
        [],
        INT,
        part((version) => version.minor),
      ),
    ],
  }),
  declare({
    name: 'patch',
    doc: 'The patch number.',
    examples: ["semver('1.2.3').patch() == 3"],
    overloads: [
      method(
        'semver_patch',
        [],
        INT,
        part((version) => version.patch),
      ),
    ],
  }),
];
