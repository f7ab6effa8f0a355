/**
 * Body of SETTINGS: settings of a host by name, one `name=value` a line, in ASCII. Names are those of
 * docs/settings.md; a reader passes over names that it does not know, so that hosts may have more of them.
 */
export type SettingsRecord = Readonly<Record<string, string>>;

/** Longest body that is read. */
const LENGTH_MAX = 1024;
/** A line, of which nothing harms a log. */
const LINE = /^([a-zA-Z]{1,40})=([\w.:+-]{1,40})$/;

/** @param settings values of letters, digits and `_.:+-`. */
export const settingsBytes = (settings: SettingsRecord): Uint8Array =>
  new TextEncoder().encode(
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );

/** Reads the settings from `at` to `end`; undefined for bytes that are no such body. */
export function readSettings(
  bytes: Uint8Array,
  at: number,
  end: number,
): SettingsRecord | undefined {
  if (end - at > LENGTH_MAX || end > bytes.length) return undefined;
  const lines = String.fromCharCode(...bytes.subarray(at, end)).split('\n');
  if (lines.pop() !== '') return undefined;
  const settings: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    settings[name] = value;
  }
  return settings;
}
