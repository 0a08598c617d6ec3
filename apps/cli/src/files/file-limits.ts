const MIB = 1024 * 1024;

/** Maximum size in bytes of each file that a command reads, by the use of the file. */
export const FILE_LIMITS = {
  /** A settings file, a `.gitignore` file, or a certificate. */
  settings: MIB,
  /** An index or a manifest of an OCI layout. Source: the limit for manifests in OCI distribution-spec 1.1. */
  manifest: 4 * MIB,
  /** A packed chart. Real charts are far smaller. */
  archive: 32 * MIB,
  /** A test suite, a file that a suite names, a definition in a catalogue, or a file for the language server. */
  source: 64 * MIB,
  /** A file with documents, a pipe, or the files of a revision together. */
  documents: 1024 * MIB,
  /** All files with documents that are in memory at the same time. */
  together: 4096 * MIB,
  /** A device, such as `/dev/null`. */
  device: MIB,
} as const;

/** Returns a size in bytes in words, such as `64 MiB`. Sizes below 1 MiB are given in bytes. */
export const sizeInWords = (bytes: number): string => (bytes < MIB ? `${bytes} bytes` : `${bytes / MIB} MiB`);
