/** Returns the text below the heading of a version in CHANGELOG.md. A draft may take what is below `Unreleased`. */
export function changelogSection(changelog: string, version: string, isDraft = false): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const named = (name: string): string | undefined => {
    const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === name);
    return section?.slice(section.indexOf('\n')).trim();
  };
  return named(version) ?? (isDraft ? named('Unreleased') : undefined);
}
