import { MINOR_RANGE } from '#kube';

// What the help says of each command, and around them.

/** Of `lsp`. */
export const LSP =
  'serve an editor in the Language Server Protocol: diagnostics, hover, completion, costs above rules and quick fixes while definitions, objects and policies are written (docs/how-to/editors.md)';
/** Of `evaluate`. */
export const EVALUATE = 'judge objects against the definitions and admission policies among the files';
/** Of `eval`. */
export const EVAL =
  'what an expression of CEL is and gives, as if it were a rule of a definition: type, estimate, and in objects value and cost';
/** Of `explain`. */
export const EXPLAIN =
  'what each part of each rule costs, by estimate and as measured in objects; which bounds would bring it under its limit; what admission policies cost';
/** Of `bench`. */
export const BENCH =
  'with what the cost of each rule grows, how fast, where it meets its budget, the dearest write found, and the time of it; with --base also whether a change made it worse';
/** Of `diff`. */
export const DIFF =
  'what changed in definitions since a revision of the git repository: changes by name, what is breaking, prices of rules, minors that refuse it, and what becomes of the objects of the older state';
/** Of `matrix`. */
export const MATRIX = `the same documents against ${MINOR_RANGE}: where verdicts, texts or costs change`;
/** Of `what-if`. */
export const WHAT_IF =
  'a changed definition over stored objects: who is broken, breaks on the next change, is saved by ratcheting, is stored differently; or changed admission policies: who is denied, warned, stored differently. Status 0 only if at least one object was judged';
/** Of `upgrade-check`. */
export const UPGRADE_CHECK =
  'every definition, admission policy and stored object of a cluster, as its own minor and as another one would judge its creation: what changes';
/** Of `guard`. */
export const GUARD =
  'a validating admission webhook for definitions and admission policies: refuses a change that breaks stored objects, costs too much, or does not load on other minors';
/** The words for `--cluster` of `evaluate`. */
export const CLUSTER_EVALUATE =
  'take definitions of the kinds that the files do not define, and the objects as they are, from a cluster: those that it has are judged as updates';
/** Of `load`. */
export const LOAD =
  'load a deployment of Assay with objects, or with the dearest writes of their definitions: latencies, errors, and the slowest requests with their traces (docs/how-to/load-a-service.md). A part of the clone, not of the package';
/** Of `test`. */
export const TEST = 'run test suites: files named …suite.yaml, in the format of openshift/api or of policies, and kyverno-test.yaml';
/** The answer to a command line without arguments. */
export const FIRST_STEPS = `Assay says what the kube-apiserver would say of custom resources, and what each rule costs.

  assay evaluate crds/ objects/                     judge objects against their definitions
  assay explain crd.yaml                            what each CEL rule may cost, and which bounds would help
  assay what-if --from old.yaml --to new.yaml dump/ who breaks, if a definition changes

assay --help lists all commands, assay COMMAND --help their options.
`;
/** Below the list of commands. */
export const EXIT_STATUS = '\nExit status: 0 everything accepted, 1 something rejected or not judged, 2 wrong usage, 3 internal error.';
