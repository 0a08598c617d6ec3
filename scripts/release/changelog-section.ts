/**
 * Returns the text below a version's heading in CHANGELOG.md; undefined if there is no such heading. For a draft, the section `Unreleased`
 * may be used if the version has no section.
 */
export function changelogSection(changelog: string, version: string, isDraft = false): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string): string | undefined => {
    const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === name);
    return section?.slice(section.indexOf('\n')).trim();
  };
  return named(version) ?? (isDraft ? named('Unreleased') : undefined);
}
