import { MINOR_RANGE } from '#kube';

// What the help says of each command, and around them.

/** Help text of the command `lsp`. */
export const LSP =
  'serve an editor in the Language Server Protocol: diagnostics, hover, completion, costs above rules and quick fixes while definitions, objects and policies are written (docs/how-to/editors.md)';
/** Help text of the command `evaluate`. */
export const EVALUATE = 'judge objects against the definitions and admission policies among the files';
/** Help text of the command `eval`. */
export const EVAL = 'evaluate a CEL expression like a rule of a definition: type, estimate, and in objects its value and cost';
/** Help text of the command `explain`. */
export const EXPLAIN =
  'show the cost of each part of each rule, estimated and measured in objects, bounds that would help, and the cost of admission policies';
/** Help text of the command `bench`. */
export const BENCH =
  'find the fields with which the cost of each rule grows, how fast, and the dearest write with its time. With --base, compare with an older revision';
/** Help text of the command `diff`. */
export const DIFF =
  'compare definitions with a revision of the git repository: changes, breaking changes, prices of rules, Kubernetes versions that refuse them, effects on older objects';
/** Help text of the command `matrix`. */
export const MATRIX = `judge the same documents against ${MINOR_RANGE}, and show where verdicts, texts or costs change`;
/** Help text of the command `what-if`. */
export const WHAT_IF =
  'show the effects of a changed definition on stored objects: broken, broken on the next change, saved by ratcheting, stored differently. Or of changed admission policies: refused, warned, stored differently. Status 0 only if at least one object was judged. For another Kubernetes version, use upgrade-check';
/** Help text of the command `upgrade-check`. */
export const UPGRADE_CHECK =
  'judge the definitions, policies and stored objects of a cluster or of files as two Kubernetes versions, and show the differences and their causes';
/** Help text of the command `guard`. */
export const GUARD =
  'run an admission webhook that refuses definitions and policies if they break stored objects, cost too much, or if other Kubernetes versions refuse them';
/** Help text of the option `--cluster` of the command `evaluate`. */
export const CLUSTER_EVALUATE = 'take missing definitions and the stored objects from a cluster; objects that it has are judged as updates';
/** Help text of the command `load`. */
export const LOAD =
  'load a deployment of Assay with objects, or with the dearest writes of their definitions: latencies, errors, and the slowest requests with their traces (docs/how-to/load-a-service.md). A part of the clone, not of the package';
/** Help text of the command `test`. */
export const TEST = 'run test suites: files named …suite.yaml, in the format of openshift/api or of policies, and kyverno-test.yaml';
/** Text that is printed for a command line without arguments. */
export const FIRST_STEPS = `Assay says what the kube-apiserver would say of custom resources, and what each rule costs.

  assay evaluate crds/ objects/                     judge objects against their definitions
  assay explain crd.yaml                            what each CEL rule may cost, and which bounds would help
  assay what-if --from old.yaml --to new.yaml dump/ who breaks, if a definition changes

assay --help lists all commands, assay COMMAND --help their options.
`;
/** Text that the help shows below the list of commands. */
export const BELOW_COMMANDS = `
Exit status: 0 everything accepted, 1 something refused or not judged, 2 wrong usage, 3 internal error.
Tables of explain and bench fit into COLUMNS characters, or into the terminal. In a pipe or a file they are whole.`;
