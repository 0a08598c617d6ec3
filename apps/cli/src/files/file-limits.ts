const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum size in bytes of each file that a command reads, by the use of the file. */
export const FILE_LIMITS = {
  /** A settings file. The time of the YAML parser grows with the square of the number of keys. */
  settings: 64 * KIB,
  /** A `.gitignore` file. */
  ignore: MIB,
  /** An index or a manifest of an OCI layout. Source: the limit for manifests in OCI distribution-spec 1.1. */
  manifest: 4 * MIB,
  /** A packed chart. Real charts are far smaller. */
  archive: 32 * MIB,
  /** A test suite. */
  suite: 4 * MIB,
  /** A file that a suite names, a definition in a catalogue, or a file for the language server. */
  source: 32 * MIB,
  /** A file with documents, a pipe, or the files of a revision together. */
  documents: 1024 * MIB,
  /** All files with documents that are in memory at the same time. */
  together: 4096 * MIB,
  /** A device, such as `/dev/null`. */
  device: MIB,
} as const;

/** Returns a limit in words, such as `64 KiB` or `64 MiB`. */
export const sizeInWords = (bytes: number): string => (bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);
