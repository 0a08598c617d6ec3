import { GATE_COMMANDS, GATES, RECOMMENDED } from '../../apps/cli/src/gates/gate-list.ts';
import type { GateCommand, GateDeclaration } from '../../apps/cli/src/gates/gate-list.ts';
import { gateForm } from '../../apps/cli/src/gates/read-gates.ts';

/** Sentences about the gates of a command, before the table of its gates. */
const ABOUT: Readonly<Record<GateCommand, string>> = {
  evaluate:
    'Without the option, the gates are `rejected,not-evaluated`. Each gate also fails by the gates before it in the table, because these are worse.',
  'what-if':
    'Without the option, the gates are `brokenOnUpdate,breaksOnNextChange,notJudged`. [Changed definitions](../how-to/change-a-definition.md#what-a-change-does-to-stored-objects) explains these effects.',
  diff: 'Without the option, the gates are `refused,objects`. Of the words `refused`, `objects` and `breaking`, each also fails by the words before it.',
  bench:
    'Without the option, there are no gates. The gates `time-exponent` and `time-worse` compare times, so their result depends on the machine. All other gates give the same result on each machine. A rule passes a gate if Assay could not find the figure that the gate needs. To fail in this case, add `undecided`. If `undecided` fails, give the study more time by `--budget`.',
};

/** Returns the page about gates, generated from the declarations of the gates. */
export function gatesPage(): string {
  return `# Gates

<!-- Generated from apps/cli/src/gates by \`npm run docs\`. -->

For authors of definitions and of CI jobs.
Which conditions can end a command with status 1, and how do you write them?

A *gate* is a condition that ends a command with exit status 1. The option \`--fail-on\` takes gates, separated by commas. A gate has one of these forms, in all commands:

- a word, such as \`refused\`
- a name, \`<\` or \`>\`, and a number: \`budget<10000\`. The gate fails if the figure of this name is below (\`<\`) or above (\`>\`) the number. Write \`%\` after a percentage: \`limit-share>25%\`
- \`oldest-minor>\` and a version of Kubernetes: \`oldest-minor>1.33\`

Put quotes around gates with \`<\` or \`>\`, because these characters have a meaning in shells. If you give the option several times, all of its gates count. If a command does not know a gate, it refuses the gate and lists the gates that it knows.
The settings file \`.assay.yaml\` takes the gates of each command as a list:

\`\`\`yaml
failOn:
  diff: [refused, objects, 'limit-share>25%']
  bench: ['cost-worse>400%', undecided]
\`\`\`

${GATE_COMMANDS.map(commandSection).join('\n')}
## Gates on estimates

A server decides about the rules of a definition by [estimates](../explanation/cost.md). It refuses a rule whose estimate is over 10,000,000 units. It also refuses a version of a definition if the estimates of its rules are over 100,000,000 units together.
The gates \`estimate-worse\`, \`limit-share\`, \`new-rule-share\` and \`oldest-minor\` compare these estimates in the old and in the new revision.

- **Versions of Kubernetes.** Estimates differ between versions. The gates use the version of \`--kubernetes-version\`, or without this option all released versions. \`--minors\` chooses other versions. \`refused\` always uses all versions.
- **Refused definitions.** Estimates exist even if a server refuses the definition.
- **Partners.** A rule is compared with its partner in the older revision. The partner has the same version, path and text. White space, the message and the position among the rules of the node do not count.
  Otherwise the partner has the same text at another path of the version (\`moved\`), or a similar text at the same path (\`changed\`). Two texts are also similar if one contains the whole other text. A rule without a partner is \`new\` or \`gone\` in the output.
  If exactly one version has another name in the new revision, its rules keep their partners. All rules of a new definition are new.
- **Without a base.** \`assay bench\` without \`--base\` takes \`limit-share\` and \`oldest-minor\`, and refuses the gates that compare.

## Recommended gates

For CI, begin with these gates:

\`\`\`sh
assay diff origin/main config/crd --fail-on "${RECOMMENDED.diff}"
assay bench config/crd --base origin/main --no-times --fail-on "${RECOMMENDED.bench}"
\`\`\`

Add \`oldest-minor>\` with the oldest version of Kubernetes that you support. \`estimate-worse\` is not among these gates, because small estimates often rise by large factors. A test runs these gates on real changes of public projects. The gates fail for each change that made an estimate
exceed or approach a limit, and pass for a change that costs little.
`;
}

function commandSection(command: GateCommand): string {
  const gates: readonly GateDeclaration[] = GATES[command];
  return `## Gates of assay ${command}

${ABOUT[command]}

| Gate | It fails if |
|---|---|
${gates.map((gate) => `| \`${gateForm(gate)}\` | ${gate.fails} |`).join('\n')}
`;
}
