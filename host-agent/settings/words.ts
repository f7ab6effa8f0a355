import { parseNumber } from '../../common/units/number-text';
import { optionOf } from './setting';
import { SETTING_NAMES, SETTINGS } from './settings';
import type { SettingName, Settings } from './settings';

/** A value as commands and documents write it. */
export const textOf = (value: Settings[SettingName]): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');

/** The words of a command line that ask for these settings, in the order of the record. */
export const wordsOf = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) => [optionOf(name), textOf(value)]);

/** The value of an option among the words of a command line; the last one counts. */
export function optionIn(words: readonly string[], name: SettingName): string | undefined {
  const option = [optionOf(name), SETTINGS[name].short];
  const at = words.findLastIndex((word) => option.includes(word));
  return at < 0 ? undefined : words[at + 1];
}

/** The settings that words of a command line ask for by their names of today, as far as they have a value. */
export function settingsIn(words: readonly string[]): Settings {
  const entries = SETTING_NAMES.flatMap((name): [SettingName, unknown][] => {
    const { value } = SETTINGS[name];
    if (!words.includes(optionOf(name))) return [];
    const text = optionIn(words, name) ?? '';
    if (value.kind === 'choice' && value.bare !== undefined) {
      return [[name, value.choices.includes(text) ? text : value.bare]];
    }
    if (value.kind === 'number') return [[name, text === value.word ? text : parseNumber(text)]];
    return value.kind === 'choice' || value.kind === 'text' ? [[name, text]] : [];
  });
  return Object.fromEntries(entries);
}
