import { writeFileSync } from 'node:fs';
import { LATEST_MINOR } from '#kube';
import { reasonOf, SETTINGS_FILE } from './find-files.ts';
import { reportOnStderr } from './print.ts';
import { EXIT, UsageError } from './usage.ts';

/** The text of a new file of settings: each setting as a comment, but the paths. */
const TEXT = `# Settings of assay for this folder and those below it; options of the command line come before them.
# What may stand here: docs/reference/assay-settings.schema.json
# Files and folders for commands without any, relative to this file.
paths: [.]
# kubernetesVersion: '${LATEST_MINOR}'
# fieldValidation: Strict
# strictKinds: true
# failOn:
#   evaluate: [rejected, not-evaluated, warning]
# crds: path/to/definitions
# timeout: 5m
`;

/** `assay init`: writes a file of settings into the working folder, unless there is one. Returns the exit status. */
export function initCommand(): number {
  try {
    writeFileSync(SETTINGS_FILE, TEXT, { flag: 'wx' });
  } catch (error) {
    const there = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UsageError(`${SETTINGS_FILE}: ${there ? 'is there already' : reasonOf(error)}`);
  }
  reportOnStderr(`wrote ${SETTINGS_FILE}`);
  return EXIT.ok;
}
