import { LATEST_MINOR, MINORS, previewOf } from '#kube';
import type { Minor } from '#kube';
import type { Engine } from '#runner';
import { featureGateTable } from './feature-gates.ts';
import { versionSections } from './version-sections.ts';

const OLDEST = MINORS[0];
const PREVIEW = MINORS.filter((minor) => previewOf(minor) !== undefined).at(-1);

const EXAMPLE = `## An example

The file \`docs/explanation/examples/releases.yaml\` contains a *definition* (a CustomResourceDefinition) with \`maxLength: 5\` at \`title\` and the CEL rule \`self.startsWith('https://')\` at \`page\`.
Its object \`good\` is valid, and its object \`bad\` has a title of six characters. The command \`matrix\` judges the same documents for all versions:

\`\`\`sh
./assay matrix docs/explanation/examples/releases.yaml   # exit status 1: an object is refused, and costs change
\`\`\`

\`\`\`text
                     1.30  1.31  1.32  1.33  1.34  1.35  1.36  1.37  1.38
releases.example.com ok    ok    ok    ok    ok    ok    ok    ok    ok
good                 ok    ok    ok    ok    ok    ok    ok    ok    ok    changes
    CEL cost 1.30–1.36 8; 1.37–1.38 2
bad                  NO    NO    NO    NO    NO    NO    NO    NO    NO    changes
    … 1.30–1.31: … spec.title: Too long: may not be longer than 5, <nil>: Invalid value: "null":
    … 1.32–1.33: … spec.title: Too long: may not be more than 5 bytes, <nil>: Invalid value: "null":
    … 1.34–1.38: … spec.title: Too long: may not be more than 5 bytes, <nil>: Invalid value: null:
…
Note: 1.38 is a preview of 1.38.0-beta.0: texts and costs may change until the release
\`\`\`

All versions accept \`good\` and refuse \`bad\`, but the error texts changed in 1.32 and 1.34. In 1.37 the cost of the rule falls from 8 to 2. The
cost of the CEL function \`startsWith\` now depends on the length of the prefix, and no longer on the length of the whole text. Such changes matter if your tests compare error texts, or if the cost of a rule is close to its
limit.

## New and stored expressions

A server of version N refuses a *new* CEL expression that uses a function which version N − 1 does not know. So you can downgrade a cluster by one version without broken
definitions. Expressions that are already *stored* may use every function that the server knows.

For example, servers know the CEL function \`isSemver\` since 1.33. A server of 1.33 refuses a new rule with \`isSemver\`, but evaluates a stored rule with \`isSemver\`. Servers
from 1.34 on accept new rules with \`isSemver\`, too. Assay judges the rules of each definition as new ones, so it refuses such a rule for 1.33. [Functions](../reference/functions.md) lists from which version on you can use
each function.
`;

const gates = `## Feature gates

A *feature gate* is a switch of a server that turns a feature on or off. The option \`--feature-gates A=true,B=false\` sets feature gates. If a gate is *locked*, nobody can
change it any more. Assay knows these gates:

${featureGateTable()}

A gate that is *gone* stays on, but servers do not know its name any more. If a version does not know a gate, or has locked it to another value, Assay refuses the option with the server's error text:

\`\`\`sh
./assay evaluate docs/explanation/examples/releases.yaml -k 1.32 --feature-gates CustomResourceFieldSelectors=false   # exit status 2
\`\`\`

Standard error says: \`cannot set feature gate CustomResourceFieldSelectors to false, feature is locked to true\`.

## How to support several versions

- In CI, judge your definitions for your oldest and your newest version, or run \`assay matrix\`. Its exit status is 1 if a version refuses a document, or if the versions differ.
- Add the option \`--oldest 1.31\` to \`assay evaluate\` or \`assay explain\`. The command then names every function that your oldest version does not know.
- If two versions have different verdicts on a definition, or different errors and warnings, \`assay matrix\` says why. It names the change of Kubernetes, the rules, and the bounds with which all versions accept the definition. With \`--minors 1.37,1.38 -o markdown\`, it
  makes a report of a folder, such as that of [565 published definitions](../reports/next-minor.md).
- Before an upgrade, run \`assay upgrade-check\`. The command judges the definitions, policies and stored objects of a cluster or of files for another version ([clusters](../how-to/cluster.md#check-an-upgrade-of-the-cluster)).

Assay does not distinguish patch releases: it follows one patch release of each version.
`;

/** Returns the page about differences between Kubernetes versions. The engine gives the answers to the examples of the ledgers. */
export async function versionsPage(engine: Engine): Promise<string> {
  const preview = PREVIEW === undefined ? '' : `, and what is the preview ${PREVIEW}`;
  return `# Versions and feature gates

<!-- Generated from the ledgers (minors.ts in libs) and apps/cli/test/versions by \`npm run docs\`; apps/cli/test/versions/versions.spec.ts evaluates each example. -->

For authors of definitions that more than one cluster uses. This page answers: what differs between Kubernetes ${OLDEST} and ${LATEST_MINOR}, how do I see it${preview}?

Assay gives the verdicts of a server of one version of Kubernetes, such as ${LATEST_MINOR}, with certain feature gates. The default is a server of ${LATEST_MINOR} with the
default feature gates. To choose another version, use the option \`--kubernetes-version\` on the command line, or \`options.kubernetesVersion\` in a request to the HTTP service.

${EXAMPLE}
${PREVIEW === undefined ? '' : `${previewSection(PREVIEW)}\n`}${gates}
## What changed

The sections list the changes that users see, newest version first. Each entry names the change of the code, in Kubernetes or its libraries. An example shows the answers of the last version before the change, and of
the first version with it. If an example has several parts, the first part is the schema of \`spec\`, and \`self\` is the value of \`spec\`.

${MINORS.slice(1).reverse().map(sectionLink).join(' · ')}

${await versionSections(engine)}
`;
}

const sectionLink = (minor: Minor): string => `[${minor}](#${minor.replace('.', '')})`;

/** Returns the section about a version that Kubernetes has not released yet. */
function previewSection(minor: Minor): string {
  return `## ${minor}, a preview

A *preview* is a version that Kubernetes has not released yet. For a preview, Assay gives the answers of one pre-release: for ${minor} those of ${previewOf(minor)}.
So you see before the release which of your definitions, policies and objects the new version would treat differently.

- **The answers may still change.** Kubernetes may change texts and costs until the release. A new version of Assay then follows these changes.
- **The default stays ${LATEST_MINOR}**, the newest released version. To ask for the preview, name it: \`-k ${minor}\`, \`upgrade-check --to-version ${minor}\`, \`--minors ${minor}\`, or \`kubernetesVersion: "${minor}"\`.
- **Comparisons of all versions include the preview.** \`assay matrix\`, \`assay diff\` and the view *Versions* of the page show it beside the released versions, and say that it is a preview.
  In JSON, the field \`previews\` names the pre-release.
- **\`--fix --oldest\` leaves the preview out**, unless you choose it with \`-k ${minor}\`: it writes bounds that the released versions accept.
- **Commands judge a cluster of a pre-release as the preview**, and say so. If a cluster is newer than all versions that Assay knows, they judge it as ${LATEST_MINOR}.
`;
}
