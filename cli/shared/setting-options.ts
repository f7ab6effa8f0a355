import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { unreachable } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Environment } from '../../common/io/environment';
import { parseNumber } from '../../common/units/number-text';
import { algorithmNamed, isCustomAlgorithm } from '../../host-agent/algorithm/library/algorithms';
import { routeOf } from '../../host-agent/settings/configuration';
import { asOption, refusalOf } from '../../host-agent/settings/refusal';
import type { Ends } from '../../host-agent/settings/asked';
import { optionOf } from '../../host-agent/settings/setting';
import type { OldName, Place, Setting, Value } from '../../host-agent/settings/setting';
import { SETTINGS, settingsOn } from '../../host-agent/settings/settings';
import type { HostSettings, SettingName, Settings } from '../../host-agent/settings/settings';
import { csigDomainOption, portsOption, soonOption } from './option-values';

type Note = (text: string) => void;

/** Adds an option for each setting that a place takes, in sections, and hidden ones for old names. */
export function withSettings(command: Command, place: Place): Command {
  const names = settingsOn(place);
  for (const name of names) {
    addSetting(command, name, place === 'scenario' ? 'that of the scenario' : undefined);
  }
  const bare = new Map(
    names.flatMap((name): [string, Extract<Value, { kind: 'choice' }>][] => {
      const { value } = SETTINGS[name];
      return value.kind === 'choice' && value.bare !== undefined ? [[optionOf(name), value]] : [];
    }),
  );
  // Commander would take the word behind an option for its value whatever it is.
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) =>
    parse(
      words.flatMap((word, i) => {
        const { choices = [], bare: usual } = bare.get(word) ?? {};
        return usual === undefined || choices.includes(words[i + 1] ?? '') ? [word] : [word, usual];
      }),
    );
  return command;
}

/** Adds the option of one setting. @param otherwise its default in words, where it is not that of the row. */
export function addSetting(command: Command, name: SettingName, otherwise?: string): Command {
  const row = SETTINGS[name];
  const option = settingOption(optionFlags(name, row), row.value, helpText(row, otherwise));
  option.helpGroup(row.section).makeOptionMandatory(row.isRequired === true);
  command.addOption(option);
  for (const old of row.was ?? []) {
    if (old.isKeyOnly !== true) command.addOption(oldOption(old, row.value));
  }
  return command;
}

/**
 * The settings that were given, by their names of today.
 * @param note told when an old name was used.
 * @throws InputError for a setting that is given under two names.
 */
export function givenSettings(command: Command, place: Place, note: Note): Settings {
  const given: Record<string, unknown> = {};
  for (const name of settingsOn(place)) {
    const value = givenSetting(command, name, note);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

/** The settings that were given of a host on an interface. @throws InputError as above. */
export function hostSettings(
  command: Command,
  place: 'agent' | 'send',
  { write }: Pick<Environment, 'write'>,
): Settings & Pick<HostSettings, 'interface' | 'logLevel'> {
  const given = givenSettings(command, place, (text) => write(2, `${text}\n`));
  const { interface: name = '', logLevel = place === 'agent' ? 'info' : 'warn' } = given;
  return { ...given, interface: name, logLevel };
}

/** The value of one setting; undefined unless it was given. */
export function givenSetting(command: Command, name: SettingName, note: Note): unknown {
  const own = given(command, name);
  // Commander takes --no-x for the opposite of --x.
  const found = (SETTINGS[name].was ?? []).find(
    (old) => old.isKeyOnly !== true && given(command, old.name) !== undefined,
  );
  const opposite = own === false ? SETTINGS[name].was?.find(isOpposite) : undefined;
  const old = found ?? opposite;
  if (old === undefined) return own;
  const spelled = optionOf(old.name);
  if (own !== undefined && own !== false) {
    throw new InputError(`${spelled} is the old name of ${optionOf(name)}: give one of them`);
  }
  const value: unknown = old.means ?? given(command, old.name);
  note(
    `hpcc: ${spelled} is now ${asOption(name, old.means)}; the old name goes with the next version`,
  );
  return value;
}

/**
 * Checks what was given.
 * @param does what the host does with flows.
 * @throws InputError for a setting that would have no effect, or that makes another one pointless.
 */
export function checkGiven(settings: Settings, does: Ends): void {
  const { algorithm = 'hpccpp' } = settings;
  const signals = isCustomAlgorithm(algorithm) ? undefined : algorithmNamed(algorithm).signals;
  const refusal = refusalOf({ settings, route: routeGiven(settings), signals, does }, asOption);
  if (refusal !== undefined) throw new InputError(refusal);
}

function routeGiven(settings: Settings) {
  try {
    return routeOf(settings);
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`--collect, --return and --control-at do not go together: ${message}`);
  }
}

const given = (command: Command, name: string): unknown =>
  command.getOptionValueSource(name) === 'cli' ? command.getOptionValue(name) : undefined;

const isOpposite = ({ name }: OldName): boolean => name.startsWith('no');

function settingOption(flags: string, value: Value, about: string): Option {
  const option = new Option(flags, about);
  if (value.kind === 'choice') {
    option.choices(value.choices);
  } else if (value.kind !== 'flag') {
    option.argParser(readerOf(value));
  }
  return option;
}

function optionFlags(name: string, { value, short, arg }: Setting): string {
  const long = `${short === undefined ? '' : `${short}, `}${optionOf(name)}`;
  if (value.kind === 'flag') return long;
  if (value.kind === 'choice' && value.bare !== undefined) return `${long} [state]`;
  return `${long} <${arg ?? (value.kind === 'number' ? 'n' : 'name')}>`;
}

function helpText(row: Setting, wanted?: string): string {
  const { default: usual, hostDefault = usual, otherwise, about, value } = row;
  const isKnown = hostDefault !== undefined && hostDefault !== null && value.kind !== 'flag';
  const byDefault = wanted ?? (isKnown ? String(hostDefault) : otherwise);
  return byDefault === undefined ? about : `${about} (default: ${byDefault})`;
}

function oldOption({ name, means, to }: OldName, value: Value): Option {
  const option = new Option(`${optionOf(name)}${means === undefined ? ' <value>' : ''}`);
  if (means === undefined) option.argParser(readerOf(value, to));
  return option.hideHelp();
}

/** Reads the value of a setting, or fails with what it must be. @param to from an old value to that of today. */
function readerOf(value: Value, to?: (old: never) => unknown): (text: string) => unknown {
  switch (value.kind) {
    case 'number':
      return (text) => {
        if (text === value.word) return text;
        const read = parseNumber(text) ?? NaN;
        const number = to === undefined ? read : Number(to(read as never));
        if (isWithin(number, value)) return number;
        throw new InvalidArgumentError(`must be ${rangeText(value)}.`);
      };
    case 'text':
      return (text) => {
        if (value.accepts?.(text) !== false) return text;
        throw new InvalidArgumentError(`${value.must ?? ''}.`);
      };
    case 'csig':
      return csigDomainOption;
    case 'ports':
      return portsOption;
    case 'soon':
      return soonOption;
    case 'constants':
      return constantsOption;
    case 'choice':
    case 'flag':
      return (text) => text;
    default:
      return unreachable(value);
  }
}

type NumberValue = Extract<Value, { kind: 'number' }>;

const isWithin = (n: number, { min, max, isAbove, isWhole, isPowerOfTwo }: NumberValue): boolean =>
  (isAbove === true ? n > min : n >= min) &&
  n <= max &&
  (isWhole !== true || Number.isSafeInteger(n)) &&
  (isPowerOfTwo !== true || Number.isInteger(Math.log2(n)));

/** Returns the range of a number in words. */
export function rangeText({ min, max, isAbove, isWhole, isPowerOfTwo, word }: NumberValue): string {
  const noun =
    isPowerOfTwo === true ? 'a power of two' : isWhole === true ? 'a whole number' : 'a number';
  const low = isAbove === true ? `above ${min}` : `from ${min}`;
  const high =
    max === Number.MAX_SAFE_INTEGER ? '' : `${isAbove === true ? ', at most' : ' to'} ${max}`;
  return `${noun} ${low}${high}${word === undefined ? '' : `, or ${word}`}`;
}

/** Constants of an algorithm: `gamma=0.9,windowMinShare=0.01`. */
function constantsOption(text: string): Record<string, number> {
  const pairs = text.split(',').map((part) => {
    const [, name, digits = ''] = /^([A-Za-z]\w*)=(.+)$/.exec(part) ?? [];
    const value = parseNumber(digits);
    if (name === undefined || value === undefined) {
      throw new InvalidArgumentError('must be NAME=NUMBER, parted by commas.');
    }
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
}
