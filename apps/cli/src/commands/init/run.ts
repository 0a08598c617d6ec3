import { LATEST_MINOR } from '#kube';
import { unreadableReason } from '../../files/file-problem.ts';
import { writeNewFile } from '../../files/write-file.ts';
import { SETTINGS_FILE } from '../../options/settings-file.ts';
import { reportOnStderr } from '../../report/print.ts';
import { EXIT, UsageError } from '../../usage.ts';

/** Text of a new settings file. All settings except `paths` are written as comments. */
const TEXT = `# Settings of assay for this folder and those below it; options of the command line come before them.
# What may stand here: docs/reference/assay-settings.schema.json
# Files and folders for commands without PATH, relative to this file.
paths: [.]
# kubernetesVersion: '${LATEST_MINOR}'
# fieldValidation: Strict
# strictKinds: true
# failOn:
#   evaluate: [rejected, not-evaluated, warning]
#   diff: [refused, objects, 'limit-share>25%', 'new-rule-share>10%'] # docs/reference/gates.md
# crds: path/to/definitions
# timeout: 5m
`;

/**
 * Runs `assay init`: writes a settings file into the working folder. Returns the exit status. Throws {@link UsageError} if the file already
 * exists.
 */
export function runInit(): number {
  try {
    writeNewFile(SETTINGS_FILE, TEXT);
  } catch (error) {
    const there = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UsageError(`${SETTINGS_FILE}: ${there ? 'is there already' : unreadableReason(error)}`);
  }
  reportOnStderr(`wrote ${SETTINGS_FILE}`);
  return EXIT.ok;
}
