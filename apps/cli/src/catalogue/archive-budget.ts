import { FileProblem } from '../files/file-problem.ts';

/** Limits for all archives and OCI layouts of one command together. Archives that cannot be read count, too. */
export const ARCHIVE_LIMITS = {
  /** Bytes of the unpacked archives whose definitions are used. */
  keptBytes: 128 * 1024 * 1024,
  /** Bytes that are unpacked, including those of archives that are given up. */
  unpackedBytes: 512 * 1024 * 1024,
  /** Names of files in archives, and digests in OCI layouts. */
  names: 100_000,
  /** Archives, indexes and manifests that are opened. */
  files: 10_000,
} as const;

type Resource = keyof typeof ARCHIVE_LIMITS;

const PROBLEMS: Readonly<Record<Resource, string>> = {
  keptBytes: `unpacked it and those before it are larger than ${ARCHIVE_LIMITS.keptBytes} bytes`,
  unpackedBytes: `with it, archives have unpacked more than ${ARCHIVE_LIMITS.unpackedBytes} bytes: no further archive is read`,
  names: `with it, archives have more than ${ARCHIVE_LIMITS.names} names: no further archive is read`,
  files: `with it, there are more than ${ARCHIVE_LIMITS.files} archives and manifests: no further archive is read`,
};

/** Rest of {@link ARCHIVE_LIMITS} that a command may still use. */
export class ArchiveBudget {
  readonly #left: Record<Resource, number> = { ...ARCHIVE_LIMITS };

  /** True if a resource is used up so that no further archive may be opened. */
  get isSpent(): boolean {
    return this.#left.unpackedBytes < 0 || this.#left.names < 0 || this.#left.files < 0;
  }

  /** Throws {@link FileProblem} if less than `amount` of a resource is left. */
  check(resource: Resource, amount: number): void {
    if (amount > this.#left[resource]) throw new FileProblem(PROBLEMS[resource]);
  }

  /** Takes an amount of a resource. Throws {@link FileProblem} if less is left. All but `keptBytes` are then used up. */
  take(resource: Resource, amount: number): void {
    if (resource === 'keptBytes') this.check(resource, amount);
    this.#left[resource] -= amount;
    if (this.#left[resource] < 0) throw new FileProblem(PROBLEMS[resource]);
  }
}
