import type { Outcome } from '#service';

/** How `assay` ends. Source of the numbers: kubectl-validate's convention. */
export const EXIT = { ok: 0, rejected: 1, usage: 2, internal: 3 } as const;

/** What `assay --help` prints; docs/command-line.md is made of it. */
export const USAGE = `assay — the kube-apiserver's verdict on custom resources, with the price of every rule

  assay evaluate -f PATH [-f PATH…] [options]   judge objects against the definitions among the files
  assay explain PATH [PATH…] [options]          what each part of each rule costs, by estimate and as measured in objects; which bounds would do
  assay matrix PATH [PATH…] [options]           the same documents against 1.30 … 1.37: where verdicts, texts or costs change
  assay what-if --from OLD --to NEW PATH…       a changed definition over stored objects: who is broken, saved by ratcheting, stored differently
  assay test PATH [PATH…] [--watch] [options]   run test suites (files named …suite.yaml, in the format of openshift/api)

PATH is a file (.yaml, .yml, .json, .ndjson), a folder (searched recursively), or - for standard input.

  -o, --output text|json|yaml      default text; test: text|json|junit|sarif|github
  -k, --kubernetes-version 1.NN    1.30 … 1.37, default 1.37
      --feature-gates A=BOOL,…     gates of that server that are not as its minor has them
      --field-validation WORD      Strict, Warn (default) or Ignore
      --explain                    with evaluate: what each rule cost
      --return-objects             with evaluate: accepted objects as they would be stored
  -w, --watch                      with test: after a change run what it is about again, until Ctrl-C, which ends with the status by then
  -h, --help

Exit status: 0 everything accepted, 1 something rejected or not judged, 2 wrong usage, 3 internal error.
`;

/** Wrong usage: told on stderr, ends with status 2. */
export class UsageError extends Error {}

/** The answer of a use case. What was refused is wrong usage; all else is an internal error. */
export function answerOf<Answer>(outcome: Outcome<Answer>): Answer {
  if (outcome.kind === 'answered') return outcome.answer;
  throw outcome.kind === 'refused' ? new UsageError(outcome.status.message) : new Error(outcome.status.message);
}
